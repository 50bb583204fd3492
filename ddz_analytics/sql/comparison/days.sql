-- grain: one row per other rule set and local day, over the hands with a time that it and the baseline both score
-- `moved` is what the winning seats win, `house` what the house receives, before (under the baseline) and after (under the other).
SELECT
  o.rule_set, h.local_day,
  count(*) AS hands,
  sum(greatest(b.net_landlord, 0) + greatest(b.net_down, 0) + greatest(b.net_up, 0))::DECIMAL(38, 4) AS moved_baseline,
  sum(greatest(o.net_landlord, 0) + greatest(o.net_down, 0) + greatest(o.net_up, 0))::DECIMAL(38, 4) AS moved_other,
  sum(b.house_net)::DECIMAL(38, 4) AS house_baseline,
  sum(o.house_net)::DECIMAL(38, 4) AS house_other
FROM settlements AS b
JOIN settlements AS o ON o.hand_id = b.hand_id AND o.scenario = b.scenario
JOIN hands AS h ON h.hand_id = b.hand_id
WHERE b.scenario = $scenario AND b.rule_set = $baseline AND o.rule_set IN (SELECT unnest($others))
  AND b.score_status <> 'undefined' AND o.score_status <> 'undefined' AND h.local_day IS NOT NULL
GROUP BY o.rule_set, h.local_day
ORDER BY list_position($others, o.rule_set), h.local_day
