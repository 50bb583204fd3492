-- grain: one row per scenario, rule set and status
-- en: How many hands are scored exactly, by assumption, or not at all?
-- zh: 有多少局可精确计分、需假设、或无法计分？
SELECT scenario, rule_set, score_status, count(*) AS hands, count(*) / sum(count(*)) OVER (PARTITION BY scenario, rule_set) AS share
FROM settlements
GROUP BY scenario, rule_set, score_status
ORDER BY ALL
