-- grain: one row per rule set, over the hands that every rule set scores and in which it knows a balance
-- `cut`: what payers are spared because a balance does not allow it. Ruins: seats that had something before a hand and have nothing
-- after it, here and under the baseline; `newly_ruined`: those that the baseline would not have ruined in that hand.
WITH compared AS (
  SELECT hand_id FROM compared_hands($rule_sets) WHERE scenario = $scenario
),
ruined AS MATERIALIZED (
  SELECT rule_set, hand_id, seat
  FROM ruins
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets)) AND hand_id IN (SELECT hand_id FROM compared)
),
beside AS (
  SELECT r.rule_set, count(*) AS ruins, count(*) FILTER (b.seat IS NULL) AS newly_ruined
  FROM ruined AS r
  LEFT JOIN ruined AS b ON b.rule_set = $baseline AND b.hand_id = r.hand_id AND b.seat = r.seat
  GROUP BY r.rule_set
),
cut AS (
  SELECT
    rule_set,
    count(DISTINCT hand_id) AS hands,
    count(DISTINCT hand_id) FILTER (balance_cut <> 0) AS cut_hands,
    sum(greatest(balance_cut, 0))::DECIMAL(38, 4) AS cut,
    max(balance_cut) AS largest_cut
  FROM scores
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets)) AND balance_before IS NOT NULL
    AND hand_id IN (SELECT hand_id FROM compared)
  GROUP BY rule_set
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
