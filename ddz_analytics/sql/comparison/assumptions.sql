-- grain: one row per rule set and assumption that a score rests on
SELECT rule_set, assumption, count(*) AS hands
FROM (
  SELECT rule_set, unnest(assumptions) AS assumption
  FROM settlements
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets))
)
GROUP BY ALL
ORDER BY ALL
