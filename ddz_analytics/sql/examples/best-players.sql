-- grain: one row per scenario, rule set and player with at least thirty hands
-- en: Who wins most in a hand, among players with at least thirty hands?
-- zh: 至少打过三十局的玩家中，谁每局赢得最多？
SELECT scenario, rule_set, player, count(score) AS hands, avg(won::INTEGER) AS win_rate, sum(score) AS total, avg(score) AS mean_score
FROM scores
WHERE player IS NOT NULL AND score IS NOT NULL
GROUP BY scenario, rule_set, player
HAVING hands >= 30
QUALIFY row_number() OVER (PARTITION BY scenario, rule_set ORDER BY mean_score DESC, player) <= 10
ORDER BY scenario, rule_set, mean_score DESC, player
