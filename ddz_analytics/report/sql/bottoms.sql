-- grain: one row per hand in question
SELECT hand_id, bottom, outcome, source_format
FROM hands
WHERE hand_id IN (SELECT unnest($hands))
ORDER BY hand_id
