-- grain: one row per rule set, score status and reason
SELECT rule_set, score_status, reason, sum(number)::BIGINT AS hands
FROM settled_counts($rule_sets)
WHERE scenario = $scenario
GROUP BY ALL
ORDER BY ALL
