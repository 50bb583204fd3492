-- grain: one row per role and answer
-- en: How often do peasants kick when they may, and how often do they win then?
-- zh: 农民能踢时有多少人踢，踢后胜率如何？
SELECT role, kicked, count(*) AS seats, avg(won::INTEGER) AS win_rate
FROM hand_seats
WHERE could_kick AND role IS NOT NULL
GROUP BY role, kicked
ORDER BY ALL
