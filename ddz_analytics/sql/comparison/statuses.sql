-- grain: one row per rule set, score status and reason
SELECT rule_set, score_status, reason, count(*) AS hands
FROM settlements
WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets))
GROUP BY ALL
ORDER BY ALL
