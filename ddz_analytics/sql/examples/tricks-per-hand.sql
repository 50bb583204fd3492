-- grain: one row per side that won
-- en: How many tricks and plays does a hand have, by who wins it?
-- zh: 一局有几轮、几手牌，按胜方？
SELECT f.winner_side, count(*) AS hands, avg(p.tricks) AS mean_tricks, avg(p.plays) AS mean_plays, max(p.plays) AS most_plays
FROM hand_facts AS f
JOIN (SELECT hand_id, max(trick) + 1 AS tricks, count(*) AS plays FROM plays GROUP BY hand_id) AS p USING (hand_id)
WHERE f.winner_side IS NOT NULL
GROUP BY f.winner_side
ORDER BY f.winner_side
