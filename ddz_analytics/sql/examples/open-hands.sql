-- grain: one row per role and whether the hand was opened, where any was
-- en: Who opens his hand, and does he win?
-- zh: 谁明牌，胜率如何？
SELECT s.role, s.opened, count(*) AS seats, avg(s.won::INTEGER) AS win_rate
FROM hand_seats AS s
WHERE s.role IS NOT NULL AND s.hand_id IN (SELECT hand_id FROM hand_seats WHERE opened)
GROUP BY s.role, s.opened
ORDER BY ALL
