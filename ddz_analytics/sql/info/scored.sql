-- grain: one row per scenario and rule set
SELECT
  scenario, rule_set, rule_hash,
  count(*) FILTER (score_status = 'exact') AS exact,
  count(*) FILTER (score_status = 'projected') AS projected,
  count(*) FILTER (score_status = 'undefined') AS undefined
FROM settlements
GROUP BY scenario, rule_set, rule_hash
ORDER BY scenario, rule_set
