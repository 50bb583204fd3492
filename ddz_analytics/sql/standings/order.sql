-- grain: one row per match and player, in the order of the standings
SELECT * EXCLUDE (scenario, rule_set)
FROM standings
WHERE scenario = $scenario AND rule_set = $rule_set AND ($match::VARCHAR IS NULL OR match_id = $match)
ORDER BY match_id, place
