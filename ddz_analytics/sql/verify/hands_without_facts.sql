-- grain: one row for the whole store: hands that have no facts, and the smallest of them
SELECT count(*) AS number, min(hand_id) AS example
FROM hands
WHERE hand_id NOT IN (SELECT hand_id FROM hand_facts)
