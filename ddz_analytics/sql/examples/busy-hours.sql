-- grain: one row per hour of the day
-- en: At which hours of the day is played, and how long does a hand take?
-- zh: 一天中哪些时段有人打牌，一局多长？
SELECT hour(local_time) AS hour, count(*) AS hands, median(date_diff('second', started_at, ended_at)) AS median_seconds
FROM hands
WHERE local_time IS NOT NULL
GROUP BY hour
ORDER BY hour
