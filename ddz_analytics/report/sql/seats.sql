-- grain: one row per hand in question and seat
SELECT hand_id, seat, player, role, dealt, recorded_score
FROM hand_seats
WHERE hand_id IN (SELECT unnest($hands))
ORDER BY hand_id, seat
