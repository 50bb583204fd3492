-- grain: one row per scenario, rule set, match and player in the first place
-- en: Who wins each match, under which rule set, and what decided it?
-- zh: 各规则下每场比赛谁夺冠，由什么决定？
SELECT scenario, match_id, rule_set, player, points, decided_by, hands, undefined_hands
FROM standings
WHERE rank = 1
ORDER BY scenario, match_id, rule_set, player
