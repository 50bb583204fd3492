-- grain: one row per rule set that is scored in the scenario; by recorded balances, one without any hand is too
SELECT rule_set
FROM rule_sets
WHERE $scenario = 'recorded' OR rule_set IN (SELECT rule_set FROM settlements WHERE scenario = $scenario)
ORDER BY rule_set
