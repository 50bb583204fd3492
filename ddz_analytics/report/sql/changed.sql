-- grain: one row per other rule set
-- A hand changes when some seat's score does. `moved` is what the seats and the house gain that gained: what ends up with
-- somebody else; `landlord`, `peasants` and `house` are their differences in all. `left_out`: undefined under one of the two.
WITH hands_changed AS (
  SELECT
    rule_set, hand_id,
    bool_or(difference <> 0) AS changed,
    sum(greatest(difference, 0)) + greatest(-sum(difference), 0) AS moved,
    sum(difference) FILTER (role = 'landlord') AS landlord,
    sum(difference) FILTER (role <> 'landlord') AS peasants,
    -sum(difference) AS house
  FROM paired_scores($baseline, $others)
  WHERE scenario = $scenario
  GROUP BY rule_set, hand_id
),
projected AS (
  SELECT o.rule_set, o.hand_id
  FROM settlements AS o
  JOIN settlements AS b ON b.hand_id = o.hand_id AND b.scenario = o.scenario
  WHERE o.scenario = $scenario AND b.rule_set = $baseline AND o.rule_set IN (SELECT unnest($others))
    AND 'projected' IN (o.score_status, b.score_status)
)
SELECT
  s.rule_set,
  count(c.hand_id) AS hands,
  count(*) - count(c.hand_id) AS left_out,
  count(*) FILTER (c.changed) AS changed,
  count(c.hand_id) FILTER (p.hand_id IS NOT NULL) AS projected,
  coalesce(sum(c.moved), 0)::DECIMAL(38, 4) AS moved,
  coalesce(sum(c.landlord), 0)::DECIMAL(38, 4) AS landlord,
  coalesce(sum(c.peasants), 0)::DECIMAL(38, 4) AS peasants,
  coalesce(sum(c.house), 0)::DECIMAL(38, 4) AS house
FROM settlements AS s
LEFT JOIN hands_changed AS c ON c.rule_set = s.rule_set AND c.hand_id = s.hand_id
LEFT JOIN projected AS p ON p.rule_set = s.rule_set AND p.hand_id = s.hand_id
WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($others))
GROUP BY s.rule_set
ORDER BY list_position($others, s.rule_set)
