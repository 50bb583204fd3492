-- grain: one row per scenario, rule set and role
-- en: What does each role win or lose in a hand?
-- zh: 地主、下家、上家每局平均输赢多少？
SELECT scenario, rule_set, role, count(score) AS hands, avg(score) AS mean_score, stddev_samp(score) AS deviation
FROM scores
WHERE role IS NOT NULL AND score_status <> 'undefined'
GROUP BY scenario, rule_set, role
ORDER BY ALL
