-- grain: one row per scenario, rule set and reason
-- en: Which doubles are refused for lack of balance, why, and what would they have moved?
-- zh: 哪些加倍因余额不足被拒，原因是什么，本会改变多少？
SELECT scenario, rule_set, reason, count(*) AS doubles, count(DISTINCT hand_id) AS hands,
  sum(abs(would_change)) AS would_move, max(abs(would_change)) AS largest
FROM refusals
WHERE what = 'double'
GROUP BY scenario, rule_set, reason
ORDER BY ALL
