-- grain: that of the macro compared_hands
CREATE TEMP VIEW shared.compared_hands AS
SELECT
  o.scenario, h.hand_id, h.landlord_seat, c.landlord, c.down, c.up, c.down_began_with, c.up_began_with, c.landlord_won
FROM shared.hands AS h
JOIN shared.compared AS o ON o.alike = h.alike
JOIN shared.courses AS c ON c.course = h.course
