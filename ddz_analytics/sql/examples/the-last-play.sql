-- grain: one row per role and category
-- en: With which combination does a hand end, and who plays it?
-- zh: 最后一手是什么牌型，谁出的？
SELECT role, category, count(*) AS hands
FROM plays
WHERE cards_left_after = 0 AND role IS NOT NULL
GROUP BY role, category
ORDER BY role, hands DESC, category
