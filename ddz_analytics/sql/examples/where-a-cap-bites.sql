-- grain: one row per scenario, rule set, table and hour of the day in which a cap changed a result
-- en: At which tables and hours does a cap change results, and how often?
-- zh: 封顶在哪些牌桌、哪些时段起作用，多少次？
SELECT s.scenario, s.rule_set, h.table_id, hour(h.local_time) AS hour, count(*) AS hands, count(*) FILTER (s.cap_bites) AS capped
FROM settlements AS s
JOIN hands AS h USING (hand_id)
WHERE s.score_status <> 'undefined'
GROUP BY ALL
HAVING capped > 0
ORDER BY capped DESC, s.scenario, s.rule_set, h.table_id, hour
