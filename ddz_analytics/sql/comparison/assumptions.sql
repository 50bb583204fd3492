-- grain: one row per rule set and assumption that a score rests on
SELECT rule_set, assumption, sum(number)::BIGINT AS hands
FROM (
  SELECT rule_set, number, unnest(assumptions) AS assumption
  FROM settled_counts($rule_sets)
  WHERE scenario = $scenario
)
GROUP BY ALL
ORDER BY ALL
