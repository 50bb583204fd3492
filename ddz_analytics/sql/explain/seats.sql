-- grain: one row per seat of the hands in question, with its balance as in the log
SELECT hand_id, seat, role, player, dealt, dealt_mask, balance_before AS balance, recorded_score
FROM hand_seats
WHERE hand_id IN (SELECT unnest($hands))
ORDER BY hand_id, seat
