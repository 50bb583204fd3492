-- grain: one row per local day and recorded rule set
-- en: How many hands were played each day, at how many tables and by how many players?
-- zh: 每天打了多少局，多少牌桌、多少玩家？
SELECT h.local_day, h.recorded_rules, count(DISTINCT h.hand_id) AS hands, count(DISTINCT h.table_id) AS tables, count(DISTINCT s.player) AS players
FROM hands AS h
JOIN hand_seats AS s USING (hand_id)
GROUP BY h.local_day, h.recorded_rules
ORDER BY ALL
