-- grain: one row per number of bombs and rockets in a hand
-- en: How many bombs and rockets does a hand see, and does the landlord win more or less with them?
-- zh: 每局有几个炸弹和火箭，与地主胜率的关系？
SELECT bombs, rockets, count(*) AS hands, avg((winner_side = 'landlord')::INTEGER) AS landlord_win_rate
FROM hand_facts
WHERE winner_side IS NOT NULL
GROUP BY bombs, rockets
ORDER BY ALL
