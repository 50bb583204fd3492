-- grain: one row per hand that every rule set scores, and rule set where balances are chained: recorded ones are those of every rule set
CREATE TEMP TABLE shared.before AS
SELECT
  h.hand_id, h.alike, h.course,
  CASE WHEN s.scenario <> 'recorded' THEN s.rule_set END AS rule_set,
  s.balance_landlord, s.balance_down, s.balance_up
FROM settlements AS s
JOIN shared.hands AS h ON h.hand_id = s.hand_id
JOIN shared.compared AS c ON c.alike = h.alike
WHERE s.scenario = $scenario
  AND s.rule_set IN (SELECT unnest(CASE WHEN $scenario = 'recorded' THEN [$baseline] ELSE $rule_sets END))
