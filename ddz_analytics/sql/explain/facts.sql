-- grain: one row per hand in question: what settling reads of it
SELECT *
FROM settle_facts
WHERE hand_id IN (SELECT unnest($hands))
ORDER BY hand_id
