-- grain: that of the macro paired_hands
CREATE TEMP VIEW shared.paired_hands AS
SELECT p.scenario, p.rule_set, h.hand_id, h.local_day, h.landlord_seat, p.* EXCLUDE (scenario, rule_set, alike)
FROM shared.hands AS h
JOIN shared.pairs AS p ON p.alike = h.alike
