-- grain: one row per other rule set
-- A hand changes when some seat's score does. `moved` is what the seats and the house gain that gained: what ends up with
-- somebody else; `landlord`, `peasants` and `house` are their differences in all. `left_out`: undefined under one of the two. `won` is
-- what winning seats win, `days` the local days of these hands, NULL unless every one has a time.
WITH paired AS (
  SELECT
    o.rule_set, h.local_day, h.landlord_seat IS NOT NULL AS has_landlord,
    coalesce(b.score_status <> 'undefined' AND o.score_status <> 'undefined', false) AS scored,
    'projected' IN (b.score_status, o.score_status) AS projected,
    greatest(b.net_landlord, 0) + greatest(b.net_down, 0) + greatest(b.net_up, 0) AS won_baseline,
    greatest(o.net_landlord, 0) + greatest(o.net_down, 0) + greatest(o.net_up, 0) AS won_other,
    b.house_net AS house_baseline, o.house_net AS house_other,
    (o.net_landlord - b.net_landlord)::DECIMAL(38, 4) AS landlord,
    (o.net_down - b.net_down)::DECIMAL(38, 4) AS down,
    (o.net_up - b.net_up)::DECIMAL(38, 4) AS up,
    (o.house_net - b.house_net)::DECIMAL(38, 4) AS house
  FROM settlements AS o
  JOIN hands AS h ON h.hand_id = o.hand_id
  LEFT JOIN settlements AS b ON b.hand_id = o.hand_id AND b.scenario = o.scenario AND b.rule_set = $baseline
  WHERE o.scenario = $scenario AND o.rule_set IN (SELECT unnest($others))
)
SELECT
  rule_set,
  count(*) FILTER (scored) AS hands,
  count(*) FILTER (NOT scored) AS left_out,
  count(*) FILTER (scored AND (landlord <> 0 OR down <> 0 OR up <> 0)) AS changed,
  count(*) FILTER (scored AND projected) AS projected,
  coalesce(
    sum(greatest(landlord, 0) + greatest(down, 0) + greatest(up, 0) + greatest(house, 0)) FILTER (scored), 0
  )::DECIMAL(38, 4) AS moved,
  coalesce(sum(landlord) FILTER (scored AND has_landlord), 0)::DECIMAL(38, 4) AS landlord,
  coalesce(sum(down + up) FILTER (scored AND has_landlord), 0)::DECIMAL(38, 4) AS peasants,
  coalesce(sum(house) FILTER (scored), 0)::DECIMAL(38, 4) AS house,
  coalesce(sum(won_baseline) FILTER (scored), 0)::DECIMAL(38, 4) AS won_baseline,
  coalesce(sum(won_other) FILTER (scored), 0)::DECIMAL(38, 4) AS won_other,
  coalesce(sum(house_baseline) FILTER (scored), 0)::DECIMAL(38, 4) AS house_baseline,
  coalesce(sum(house_other) FILTER (scored), 0)::DECIMAL(38, 4) AS house_other,
  CASE WHEN bool_and(local_day IS NOT NULL) FILTER (scored) THEN count(DISTINCT local_day) FILTER (scored) END AS days
FROM paired
GROUP BY rule_set
ORDER BY list_position($others, rule_set)
