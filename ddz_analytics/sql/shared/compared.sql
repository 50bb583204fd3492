-- grain: one row per group of hands that every one of the rule sets scores
CREATE TEMP TABLE shared.compared AS
SELECT o.scenario, s.alike
FROM shared.settled AS s
JOIN shared.outcomes AS o ON o.outcome = s.outcome
WHERE o.score_status <> 'undefined'
GROUP BY ALL
HAVING count(*) = len(list_distinct($rule_sets))
