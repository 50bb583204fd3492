-- grain: one row per category of combination, led or followed
-- en: How long do people think about each kind of combination?
-- zh: 各种牌型出牌前思考多久？
SELECT p.category, p.is_lead, count(*) AS plays, avg(a.ms) AS mean_ms, median(a.ms) AS median_ms, quantile_cont(a.ms, 0.95) AS p95_ms
FROM plays AS p
JOIN actions AS a USING (hand_id, action_index)
WHERE a.ms IS NOT NULL AND a.actor IS DISTINCT FROM 'autoplay'
GROUP BY p.category, p.is_lead
ORDER BY median_ms DESC, p.category, p.is_lead
