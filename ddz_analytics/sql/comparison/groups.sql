-- grain: one row per other rule set, value of a column of hand_seats, and role
-- The column's name is filled in from the code, where it is one of hand_seats. Groups are told by the log alone.
SELECT
  p.rule_set, s.$column::VARCHAR AS value, p.role,
  count(*) AS hands,
  count(*) FILTER (p.difference <> 0) AS differing,
  avg(p.baseline_score)::DECIMAL(38, 4) AS mean_baseline,
  avg(p.other_score)::DECIMAL(38, 4) AS mean_other,
  avg(p.difference)::DECIMAL(38, 4) AS mean_difference,
  sum(p.difference)::DECIMAL(38, 4) AS total_difference
FROM paired_scores($baseline, $others) AS p
JOIN hand_seats AS s ON s.hand_id = p.hand_id AND s.seat = p.seat
WHERE p.scenario = $scenario
GROUP BY ALL
ORDER BY p.rule_set, value, p.role
