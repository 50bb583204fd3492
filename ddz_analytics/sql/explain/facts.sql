-- grain: one row: what settling reads of the hand in question
SELECT *
FROM settle_facts
WHERE hand_id = $hand
