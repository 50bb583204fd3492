-- grain: one row per scenario, rule set and player
-- en: Who went broke, how often, and by which hand first?
-- zh: 谁破产了，几次，最早是哪一局？
SELECT scenario, rule_set, player, count(*) AS times, min(hand_id) AS first_hand, max(-score) AS largest_loss
FROM ruins
GROUP BY scenario, rule_set, player
ORDER BY scenario, rule_set, times DESC, player
