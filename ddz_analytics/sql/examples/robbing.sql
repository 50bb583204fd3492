-- grain: one row per turn in the auction
-- en: How often is the landlord robbed when it may be done, and does the robber become landlord?
-- zh: 能抢地主时多少人抢，抢者是否成为地主？
SELECT auction_turn, count(*) AS chances, count(*) FILTER (robbed) AS robs, avg(robbed::INTEGER) AS share,
  count(*) FILTER (robbed AND role = 'landlord') AS became_landlord
FROM hand_seats
WHERE could_rob
GROUP BY auction_turn
ORDER BY auction_turn
