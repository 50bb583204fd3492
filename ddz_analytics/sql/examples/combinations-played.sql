-- grain: one row per category of combination
-- en: Which combinations are played, how often to lead, and how many cards do they get rid of?
-- zh: 各种牌型出了多少次，多少是领出，平均出几张？
SELECT category, count(*) AS plays, avg(is_lead::INTEGER) AS led, avg(length(cards)) AS mean_cards
FROM plays
WHERE category IS NOT NULL
GROUP BY category
ORDER BY plays DESC, category
