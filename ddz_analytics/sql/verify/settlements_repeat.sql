-- grain: one row for the whole store: hands settled more than once under one rule set
SELECT count(*) AS number, min(hand_id) AS example
FROM (SELECT hand_id FROM settlements GROUP BY scenario, rule_set, hand_id HAVING count(*) > 1)
