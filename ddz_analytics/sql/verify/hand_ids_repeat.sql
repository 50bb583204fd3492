-- grain: one row for the whole store: hand ids that stand more than once, and the smallest of them
SELECT count(*) AS number, min(hand_id) AS example
FROM (SELECT hand_id FROM hands GROUP BY hand_id HAVING count(*) > 1)
