-- grain: one row for hands from $first on and before $end: those settled more than once under one rule set
SELECT count(*) AS number, min(hand_id) AS example
FROM (
  SELECT hand_id
  FROM settlements
  WHERE hand_id >= $first AND hand_id < $end
  GROUP BY scenario, rule_set, hand_id
  HAVING count(*) > 1
)
