-- grain: one row per what autoplay made of the two peasants by the end
-- en: How often does a hand end with one or both peasants on autoplay, and who wins?
-- zh: 有多少局以一个或两个农民托管结束，胜率如何？
SELECT down_autoplay, up_autoplay, count(*) AS hands, avg((winner_seat = landlord_seat)::INTEGER) AS landlord_win_rate
FROM settle_facts
WHERE autoplay_recorded AND landlord_seat IS NOT NULL AND winner_seat IS NOT NULL
GROUP BY down_autoplay, up_autoplay
ORDER BY ALL
