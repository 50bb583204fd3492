-- grain: one row per rule set, over the hands that every rule set scores and in which it knows a balance
-- `cut`: what payers are spared because a balance does not allow it. Ruins: seats that had something before a hand and have nothing
-- after it, here and under the baseline; `newly_ruined`: those that the baseline would not have ruined in that hand.
WITH cut AS (
  SELECT
    rule_set,
    count(*) AS hands,
    count(*) FILTER (cut_landlord <> 0 OR cut_down <> 0 OR cut_up <> 0) AS cut_hands,
    sum(greatest(cut_landlord, 0) + greatest(cut_down, 0) + greatest(cut_up, 0))::DECIMAL(38, 4) AS cut,
    max(greatest(cut_landlord, cut_down, cut_up)) AS largest_cut
  FROM (
    SELECT
      rule_set,
      CASE WHEN balance_landlord IS NOT NULL THEN balance_cut_landlord END AS cut_landlord,
      CASE WHEN balance_down IS NOT NULL THEN balance_cut_down END AS cut_down,
      CASE WHEN balance_up IS NOT NULL THEN balance_cut_up END AS cut_up
    FROM compared_balances($rule_sets)
    WHERE scenario = $scenario AND coalesce(balance_landlord, balance_down, balance_up) IS NOT NULL
  )
  GROUP BY rule_set
),
ruined AS MATERIALIZED (
  SELECT rule_set, hand_id, role
  FROM (
    SELECT
      rule_set, hand_id,
      unnest(['landlord', 'down', 'up']) AS role,
      unnest([balance_landlord, balance_down, balance_up]) AS balance_before,
      unnest([left_landlord, left_down, left_up]) AS balance_after
    FROM compared_balances($rule_sets)
    WHERE scenario = $scenario AND least(left_landlord, left_down, left_up) <= 0
  )
  WHERE balance_before > 0 AND balance_after <= 0
),
beside AS (
  SELECT r.rule_set, count(*) AS ruins, count(*) FILTER (b.role IS NULL) AS newly_ruined
  FROM ruined AS r
  LEFT JOIN ruined AS b ON b.rule_set = $baseline AND b.hand_id = r.hand_id AND b.role = r.role
  GROUP BY r.rule_set
)
SELECT
  c.rule_set, c.hands, c.cut_hands, c.cut, c.largest_cut,
  coalesce(o.ruins, 0) AS ruins,
  (1000 * coalesce(o.ruins, 0) / c.hands)::DECIMAL(38, 2) AS ruins_per_thousand,
  coalesce(b.ruins, 0) AS ruins_baseline,
  (1000 * coalesce(b.ruins, 0) / c.hands)::DECIMAL(38, 2) AS ruins_per_thousand_baseline,
  coalesce(o.newly_ruined, 0) AS newly_ruined
FROM cut AS c
LEFT JOIN beside AS o ON o.rule_set = c.rule_set
LEFT JOIN beside AS b ON b.rule_set = $baseline
ORDER BY list_position($rule_sets, c.rule_set)
