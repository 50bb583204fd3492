-- grain: one row per other rule set and local day, over the hands with a time that it and the baseline both score
-- `moved` is what the winning seats win, `house` what the house receives, before (under the baseline) and after (under the other).
SELECT
  rule_set, local_day,
  count(*) AS hands,
  sum(greatest(baseline_landlord, 0) + greatest(baseline_down, 0) + greatest(baseline_up, 0))::DECIMAL(38, 4) AS moved_baseline,
  sum(greatest(other_landlord, 0) + greatest(other_down, 0) + greatest(other_up, 0))::DECIMAL(38, 4) AS moved_other,
  sum(baseline_house)::DECIMAL(38, 4) AS house_baseline,
  sum(other_house)::DECIMAL(38, 4) AS house_other
FROM paired_hands($baseline, $others)
WHERE scenario = $scenario AND local_day IS NOT NULL
GROUP BY rule_set, local_day
ORDER BY list_position($others, rule_set), local_day
