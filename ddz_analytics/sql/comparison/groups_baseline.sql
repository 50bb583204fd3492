-- grain: one row per other rule set, group that the baseline makes, and role
-- $by is `stake_decile` or `player_volume` of the macro baseline_groups; stakes are of the hands in the group.
SELECT
  p.rule_set,
  CASE $by WHEN 'stake_decile' THEN g.stake_decile::VARCHAR ELSE g.player_volume END AS value,
  p.role,
  min(g.stake) AS least_stake,
  max(g.stake) AS most_stake,
  count(*) AS hands,
  count(*) FILTER (p.difference <> 0) AS differing,
  avg(p.baseline_score)::DECIMAL(38, 4) AS mean_baseline,
  avg(p.other_score)::DECIMAL(38, 4) AS mean_other,
  avg(p.difference)::DECIMAL(38, 4) AS mean_difference,
  sum(p.difference)::DECIMAL(38, 4) AS total_difference
FROM paired_scores($baseline, $others) AS p
JOIN baseline_groups($baseline) AS g ON g.scenario = p.scenario AND g.hand_id = p.hand_id AND g.seat = p.seat
WHERE p.scenario = $scenario AND p.role IS NOT NULL
GROUP BY p.rule_set, value, p.role
ORDER BY list_position($others, p.rule_set), try_cast(value AS BIGINT), value, p.role
