-- grain: one row per other rule set, group that the baseline makes, and role
-- $by is `stake_decile` or `player_volume` of the macro baseline_groups; stakes are of the hands in the group. Hands whose three
-- roles are in the same groups are added up before the roles are told apart.
WITH named AS (
  SELECT
    g.hand_id, g.stake,
    (g.seat - h.landlord_seat + 3) % 3 AS place,
    CASE $by WHEN 'stake_decile' THEN g.stake_decile::VARCHAR ELSE g.player_volume END AS value
  FROM baseline_groups($baseline) AS g
  JOIN hands AS h ON h.hand_id = g.hand_id
  WHERE g.scenario = $scenario AND h.landlord_seat IS NOT NULL
),
grouped AS (
  SELECT
    hand_id,
    any_value(stake) AS stake,
    any_value(value) FILTER (place = 0) AS of_landlord,
    any_value(value) FILTER (place = 1) AS of_down,
    any_value(value) FILTER (place = 2) AS of_up
  FROM named
  GROUP BY hand_id
),
alike AS (
  SELECT
    p.rule_set, g.of_landlord, g.of_down, g.of_up,
    min(g.stake) AS least_stake, max(g.stake) AS most_stake,
    count(*) AS hands,
    [
      count(*) FILTER (p.other_landlord <> p.baseline_landlord),
      count(*) FILTER (p.other_down <> p.baseline_down),
      count(*) FILTER (p.other_up <> p.baseline_up)
    ] AS differing,
    [sum(p.baseline_landlord), sum(p.baseline_down), sum(p.baseline_up)] AS baseline,
    [sum(p.other_landlord), sum(p.other_down), sum(p.other_up)] AS other,
    [sum(p.other_landlord - p.baseline_landlord), sum(p.other_down - p.baseline_down), sum(p.other_up - p.baseline_up)] AS difference
  FROM paired_hands($baseline, $others) AS p
  JOIN grouped AS g ON g.hand_id = p.hand_id
  WHERE p.scenario = $scenario
  GROUP BY p.rule_set, g.of_landlord, g.of_down, g.of_up
),
seats AS (
  SELECT
    rule_set, least_stake, most_stake, hands,
    unnest([of_landlord, of_down, of_up]) AS value,
    unnest(['landlord', 'landlord_down', 'landlord_up']) AS role,
    unnest(differing) AS differing, unnest(baseline) AS baseline, unnest(other) AS other, unnest(difference) AS difference
  FROM alike
)
SELECT
  rule_set, value, role,
  min(least_stake) AS least_stake,
  max(most_stake) AS most_stake,
  sum(hands)::BIGINT AS hands,
  sum(differing)::BIGINT AS differing,
  (sum(baseline) / sum(hands))::DECIMAL(38, 4) AS mean_baseline,
  (sum(other) / sum(hands))::DECIMAL(38, 4) AS mean_other,
  (sum(difference) / sum(hands))::DECIMAL(38, 4) AS mean_difference,
  sum(difference)::DECIMAL(38, 4) AS total_difference
FROM seats
GROUP BY rule_set, value, role
ORDER BY list_position($others, rule_set), try_cast(value AS BIGINT), value, role
