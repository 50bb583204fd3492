-- grain: one row per rule set and multiplier, which is that of auction and events together, after the cap
SELECT
  rule_set,
  auction_multiplier * event_multiplier AS multiplier,
  sum(number)::BIGINT AS hands,
  coalesce(sum(number) FILTER (cap_bites), 0)::BIGINT AS capped
FROM settled_counts($rule_sets)
WHERE scenario = $scenario AND event_multiplier IS NOT NULL
GROUP BY rule_set, multiplier
ORDER BY rule_set, multiplier
