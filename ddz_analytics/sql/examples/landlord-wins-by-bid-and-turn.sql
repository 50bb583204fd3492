-- grain: one row per kind of auction, winning bid and the landlord's turn
-- en: How often does the landlord win, by his bid and by his turn in the auction?
-- zh: 地主的胜率如何，按叫分和叫牌次序？
SELECT f.auction_kind, f.bid, s.auction_turn AS turn, count(*) AS hands, count(*) FILTER (s.won) AS won, avg(s.won::INTEGER) AS win_rate
FROM hand_seats AS s
JOIN hand_facts AS f USING (hand_id)
WHERE s.role = 'landlord' AND s.won IS NOT NULL AND f.bid IS NOT NULL
GROUP BY ALL
ORDER BY ALL
