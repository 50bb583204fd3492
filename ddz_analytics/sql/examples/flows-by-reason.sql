-- grain: one row per scenario, rule set, reason and whether the house pays or receives
-- en: How much moves for which reason, and how much of it reaches the house?
-- zh: 各种原因各转移多少，多少归平台？
SELECT scenario, rule_set, reason, payer IS NULL AS house_pays, receiver IS NULL AS house_receives, count(*) AS payments, sum(amount) AS moved
FROM flows
GROUP BY scenario, rule_set, reason, house_pays, house_receives
ORDER BY ALL
