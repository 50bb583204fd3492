-- grain: one row per rule set, over the hands that every rule set scores and in which it knows a balance
-- `cut`: what payers are spared because a balance does not allow it. Ruins: seats that had something before a hand and have nothing
-- after it, here and under the baseline; `newly_ruined`: those that the baseline would not have ruined in that hand.
WITH seats AS (
  SELECT s.rule_set, s.hand_id, s.seat, s.balance_cut, u.seat IS NOT NULL AS ruined
  FROM scores AS s
  JOIN compared_hands($rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
  LEFT JOIN ruins AS u
    ON u.scenario = s.scenario AND u.rule_set = s.rule_set AND u.hand_id = s.hand_id AND u.seat = s.seat
  WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets)) AND s.balance_before IS NOT NULL
),
beside AS (
  SELECT s.*, b.rule_set IS NOT NULL AS ruined_before
  FROM seats AS s
  LEFT JOIN seats AS b ON b.rule_set = $baseline AND b.hand_id = s.hand_id AND b.seat = s.seat AND b.ruined
)
SELECT
  rule_set,
  count(DISTINCT hand_id) AS hands,
  count(DISTINCT hand_id) FILTER (balance_cut <> 0) AS cut_hands,
  sum(greatest(balance_cut, 0))::DECIMAL(38, 4) AS cut,
  max(balance_cut) AS largest_cut,
  count(*) FILTER (ruined) AS ruins,
  (1000.0 * count(*) FILTER (ruined) / count(DISTINCT hand_id))::DECIMAL(38, 2) AS ruins_per_thousand,
  count(*) FILTER (ruined_before) AS ruins_baseline,
  (1000.0 * count(*) FILTER (ruined_before) / count(DISTINCT hand_id))::DECIMAL(38, 2) AS ruins_per_thousand_baseline,
  count(*) FILTER (ruined AND NOT ruined_before) AS newly_ruined
FROM beside
GROUP BY rule_set
ORDER BY list_position($rule_sets, rule_set)
