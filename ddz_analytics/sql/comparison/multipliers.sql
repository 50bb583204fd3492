-- grain: one row per rule set and multiplier, which is that of auction and events together, after the cap
SELECT
  rule_set,
  auction_multiplier * event_multiplier AS multiplier,
  count(*) AS hands,
  count(*) FILTER (cap_bites) AS capped
FROM settlements
WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets)) AND event_multiplier IS NOT NULL
GROUP BY rule_set, multiplier
ORDER BY rule_set, multiplier
