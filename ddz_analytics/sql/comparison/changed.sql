-- grain: one row per other rule set
-- A hand changes when some seat's score does. `moved` is what the seats and the house gain that gained: what ends up with
-- somebody else; `landlord`, `peasants` and `house` are their differences in all. `left_out`: undefined under one of the two. `won` is
-- what winning seats win, `days` the local days of these hands, NULL unless every one has a time.
WITH settled AS (
  SELECT rule_set, sum(number)::BIGINT AS hands
  FROM settled_counts($rule_sets)
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($others))
  GROUP BY rule_set
),
differences AS (
  SELECT
    *,
    other_landlord - baseline_landlord AS landlord, other_down - baseline_down AS down, other_up - baseline_up AS up,
    other_house - baseline_house AS house
  FROM paired_hands($baseline, $others)
  WHERE scenario = $scenario
),
paired AS (
  SELECT
    rule_set,
    count(*) AS hands,
    count(*) FILTER (largest_difference > 0) AS changed,
    count(*) FILTER (projected) AS projected,
    sum(greatest(landlord, 0) + greatest(down, 0) + greatest(up, 0) + greatest(house, 0)) AS moved,
    sum(landlord) FILTER (landlord_seat IS NOT NULL) AS landlord,
    sum(down + up) FILTER (landlord_seat IS NOT NULL) AS peasants,
    sum(house) AS house,
    sum(greatest(baseline_landlord, 0) + greatest(baseline_down, 0) + greatest(baseline_up, 0)) AS won_baseline,
    sum(greatest(other_landlord, 0) + greatest(other_down, 0) + greatest(other_up, 0)) AS won_other,
    sum(baseline_house) AS house_baseline,
    sum(other_house) AS house_other,
    CASE WHEN bool_and(local_day IS NOT NULL) THEN count(DISTINCT local_day) END AS days
  FROM differences
  GROUP BY rule_set
)
SELECT
  s.rule_set,
  coalesce(p.hands, 0) AS hands,
  s.hands - coalesce(p.hands, 0) AS left_out,
  coalesce(p.changed, 0) AS changed,
  coalesce(p.projected, 0) AS projected,
  coalesce(p.moved, 0)::DECIMAL(38, 4) AS moved,
  coalesce(p.landlord, 0)::DECIMAL(38, 4) AS landlord,
  coalesce(p.peasants, 0)::DECIMAL(38, 4) AS peasants,
  coalesce(p.house, 0)::DECIMAL(38, 4) AS house,
  coalesce(p.won_baseline, 0)::DECIMAL(38, 4) AS won_baseline,
  coalesce(p.won_other, 0)::DECIMAL(38, 4) AS won_other,
  coalesce(p.house_baseline, 0)::DECIMAL(38, 4) AS house_baseline,
  coalesce(p.house_other, 0)::DECIMAL(38, 4) AS house_other,
  p.days
FROM settled AS s
LEFT JOIN paired AS p ON p.rule_set = s.rule_set
ORDER BY list_position($others, s.rule_set)
