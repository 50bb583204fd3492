-- grain: one row per pair of players who shared at least five hands
-- en: Which two players sit together in an unusually large share of their hands?
-- zh: 哪两位玩家同桌的比例异常地高？
WITH played AS (
  SELECT player, count(DISTINCT hand_id) AS hands FROM hand_seats WHERE player IS NOT NULL GROUP BY player
),
pairs AS (
  SELECT a.player AS player, b.player AS partner, count(DISTINCT a.hand_id) AS together
  FROM hand_seats AS a
  JOIN hand_seats AS b ON b.hand_id = a.hand_id AND b.player > a.player
  GROUP BY a.player, b.player
)
SELECT p.player, p.partner, p.together, least(one.hands, two.hands) AS hands_of_rarer, p.together / least(one.hands, two.hands) AS share
FROM pairs AS p
JOIN played AS one ON one.player = p.player
JOIN played AS two ON two.player = p.partner
WHERE p.together >= 5
ORDER BY share DESC, p.together DESC, p.player, p.partner
LIMIT 50
