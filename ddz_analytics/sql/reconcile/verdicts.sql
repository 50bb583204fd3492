-- grain: one row per verdict of the hands with scores recorded under one rule set; a hand counts under the worst of its seats
SELECT verdict, count(*) AS hands
FROM (
  SELECT arg_min(verdict, CASE verdict WHEN 'unexplained' THEN 0 WHEN 'explained' THEN 1 ELSE 2 END) AS verdict
  FROM reconciliation
  WHERE rule_set = $rule_set
  GROUP BY hand_id
)
GROUP BY verdict
