-- grain: one row for the whole store: hands with facts more than once
SELECT count(*) AS number, min(hand_id) AS example
FROM (SELECT hand_id FROM hand_facts GROUP BY hand_id HAVING count(*) > 1)
