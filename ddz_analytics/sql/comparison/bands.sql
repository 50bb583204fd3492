-- grain: one row per other rule set and role
-- Five bands by how much a seat gains or loses, in stakes of the baseline before events.
SELECT
  rule_set, role,
  sum(number)::BIGINT AS hands,
  coalesce(sum(number) FILTER (difference < -coalesce(16 * stake, abs(difference))), 0)::BIGINT AS loses_over_16,
  coalesce(sum(number) FILTER (difference < 0 AND difference >= -coalesce(16 * stake, abs(difference))), 0)::BIGINT AS loses,
  coalesce(sum(number) FILTER (difference = 0), 0)::BIGINT AS same,
  coalesce(sum(number) FILTER (difference > 0 AND difference <= coalesce(16 * stake, abs(difference))), 0)::BIGINT AS gains,
  coalesce(sum(number) FILTER (difference > coalesce(16 * stake, abs(difference))), 0)::BIGINT AS gains_over_16
FROM paired_counts($baseline, $others)
WHERE scenario = $scenario
GROUP BY rule_set, role
ORDER BY rule_set, role
