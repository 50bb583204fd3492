-- grain: one row per scenario, rule set and assumption
-- en: What had to be assumed, and for how many hands?
-- zh: 做了哪些假设，涉及多少局？
SELECT scenario, rule_set, assumption, count(*) AS hands
FROM (SELECT scenario, rule_set, hand_id, unnest(assumptions) AS assumption FROM settlements)
GROUP BY scenario, rule_set, assumption
ORDER BY scenario, rule_set, hands DESC, assumption
