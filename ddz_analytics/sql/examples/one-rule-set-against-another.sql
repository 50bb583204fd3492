-- grain: one row per scenario and role
-- en: What would each role win or lose more per hand under jj-bomb than under jj-classic?
-- zh: 与 jj-classic 相比，jj-bomb 下各角色每局多赢或多输多少？
SELECT scenario, role, count(*) AS hands, count(*) FILTER (difference <> 0) AS changed, avg(difference) AS mean_difference,
  min(difference) AS largest_loss, max(difference) AS largest_gain
FROM paired_scores('jj-classic', ['jj-bomb'])
WHERE role IS NOT NULL
GROUP BY scenario, role
ORDER BY ALL
