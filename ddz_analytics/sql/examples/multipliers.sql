-- grain: one row per scenario, rule set and multiplier
-- en: How are the multipliers of bombs, rockets and springs spread?
-- zh: 炸弹、火箭、春天的总倍数如何分布？
SELECT scenario, rule_set, event_multiplier, count(*) AS hands, count(*) FILTER (cap_bites) AS capped
FROM settlements
WHERE event_multiplier IS NOT NULL
GROUP BY scenario, rule_set, event_multiplier
ORDER BY ALL
