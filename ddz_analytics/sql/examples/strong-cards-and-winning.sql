-- grain: one row per number of jokers and twos dealt to the landlord
-- en: How often does the landlord win by the jokers and twos that he was dealt?
-- zh: 地主发到几张王和2，胜率如何？
SELECT length(dealt) - length(replace(replace(replace(dealt, 'B', ''), 'R', ''), '2', '')) AS jokers_and_twos,
  count(*) AS hands, avg(won::INTEGER) AS win_rate
FROM hand_seats
WHERE role = 'landlord' AND won IS NOT NULL AND length(dealt) = 17
GROUP BY jokers_and_twos
ORDER BY jokers_and_twos
