-- grain: one row per rule set that is scored in the scenario; by recorded balances, one without any hand is too
SELECT rule_set
FROM rule_sets
WHERE $scenario = 'recorded'
  OR rule_set IN (SELECT DISTINCT rule_set FROM settlements WHERE scenario = $scenario AND scenario <> 'recorded')
ORDER BY rule_set
