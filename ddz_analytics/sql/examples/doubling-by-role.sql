-- grain: one row per role and answer
-- en: Who doubles, and does it pay: how often does a seat win that doubled?
-- zh: 谁加倍，加倍后的胜率如何？
SELECT role, doubled, count(*) AS seats, avg(won::INTEGER) AS win_rate
FROM hand_seats
WHERE could_double AND role IS NOT NULL
GROUP BY role, doubled
ORDER BY ALL
