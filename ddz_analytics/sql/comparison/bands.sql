-- grain: one row per other rule set and role
-- Five bands by how much a seat gains or loses, in stakes of the baseline before events.
SELECT
  rule_set, role,
  count(*) AS hands,
  count(*) FILTER (difference < -coalesce(16 * stake, abs(difference))) AS loses_over_16,
  count(*) FILTER (difference < 0 AND difference >= -coalesce(16 * stake, abs(difference))) AS loses,
  count(*) FILTER (difference = 0) AS same,
  count(*) FILTER (difference > 0 AND difference <= coalesce(16 * stake, abs(difference))) AS gains,
  count(*) FILTER (difference > coalesce(16 * stake, abs(difference))) AS gains_over_16
FROM paired_scores($baseline, $others)
WHERE scenario = $scenario
GROUP BY rule_set, role
ORDER BY rule_set, role
