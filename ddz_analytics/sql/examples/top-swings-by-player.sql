-- grain: one row per scenario, rule set and player, the twenty with the widest span of each rule set
-- en: Whose scores swing most: the largest gain and the largest loss of a player in one hand?
-- zh: 谁的输赢起伏最大：单局最多赢多少、输多少？
SELECT scenario, rule_set, player, count(score) AS hands, max(score) AS largest_gain, min(score) AS largest_loss,
  max(score) - min(score) AS swing
FROM scores
WHERE player IS NOT NULL
GROUP BY scenario, rule_set, player
HAVING swing IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY scenario, rule_set ORDER BY swing DESC, player) <= 20
ORDER BY scenario, rule_set, swing DESC, player
