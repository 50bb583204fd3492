-- grain: one row per scenario, rule set and threshold
-- en: Whom would the room's entry not have let in, and how much was missing?
-- zh: 谁本不够入场，差多少？
SELECT scenario, rule_set, threshold, count(*) AS seats, min(balance) AS smallest_balance, max(threshold - balance) AS most_missing
FROM refusals
WHERE what = 'entry'
GROUP BY scenario, rule_set, threshold
ORDER BY ALL
