-- grain: one row per turn in the auction
-- en: How often does a seat bid when it may, by its turn?
-- zh: 轮到叫分时有多少人叫，按次序？
SELECT auction_turn, count(*) AS chances, count(*) FILTER (bid) AS bids, avg(bid::INTEGER) AS share
FROM hand_seats
WHERE could_bid
GROUP BY auction_turn
ORDER BY auction_turn
