-- grain: one row per scenario, rule set and local day
-- en: What does the house take each day, and from what?
-- zh: 平台每天收多少，来自哪些项目？
SELECT s.scenario, s.rule_set, h.local_day, count(*) AS hands, sum(s.house_rake) AS rake, sum(s.house_fee) AS fee,
  sum(s.house_forfeit) AS forfeit, sum(s.house_fine) AS fine, sum(s.house_net) AS net
FROM settlements AS s
JOIN hands AS h USING (hand_id)
WHERE s.score_status <> 'undefined'
GROUP BY s.scenario, s.rule_set, h.local_day
ORDER BY ALL
