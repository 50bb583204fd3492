-- grain: one row per seat of the hand in question, with its balance as in the log
SELECT seat, role, player, dealt, balance_before AS balance
FROM hand_seats
WHERE hand_id = $hand
ORDER BY seat
