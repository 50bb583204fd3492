-- grain: one row per rule set
-- `liability_moved`: what answering for autoplay takes from a seat or the house.
-- Means are over the hands with a landlord that the rule set scores; `largest` is the most that a seat wins or loses in one hand.
SELECT
  rule_set,
  any_value(rule_hash) AS rule_hash,
  coalesce(sum(number) FILTER (score_status = 'exact'), 0)::BIGINT AS exact,
  coalesce(sum(number) FILTER (score_status = 'projected'), 0)::BIGINT AS projected,
  coalesce(sum(number) FILTER (score_status = 'undefined'), 0)::BIGINT AS undefined,
  (sum(net_landlord * number::DECIMAL(18, 0)) FILTER (landlord IS NOT NULL)
    / sum(number) FILTER (landlord IS NOT NULL AND net_landlord IS NOT NULL))::DECIMAL(38, 2) AS landlord_mean,
  (sum((net_down + net_up) * number::DECIMAL(18, 0)) FILTER (landlord IS NOT NULL)
    / sum(2 * number) FILTER (landlord IS NOT NULL AND net_down IS NOT NULL))::DECIMAL(38, 2) AS peasant_mean,
  max(greatest(abs(net_landlord), abs(net_down), abs(net_up))) AS largest,
  coalesce(sum(number) FILTER (cap_bites), 0)::BIGINT AS capped_hands,
  sum(
    (
      greatest(-liability_landlord, 0) + greatest(-liability_down, 0) + greatest(-liability_up, 0)
      + greatest(liability_landlord + liability_down + liability_up, 0)
    ) * number::DECIMAL(18, 0)
  )::DECIMAL(38, 4) AS liability_moved,
  sum(house_net * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS house
FROM settled_counts($rule_sets)
WHERE scenario = $scenario
GROUP BY rule_set
ORDER BY list_position($rule_sets, rule_set)
