-- grain: one row per rule set and number of doublings before any cap, over the hands that every rule set scores
-- Only of rule sets whose events multiply one by one. `stake` is what the landlord plays for with both peasants together, `cut` what
-- caps take off it, `last_doubling` what he would play for less with one doubling fewer: half of it below a cap, nothing well above.
WITH played AS (
  SELECT s.*, s.number::DECIMAL(18, 0) AS times, (s.stake_down + s.stake_up)::DECIMAL(38, 4) AS stake
  FROM settled_counts($rule_sets) AS s
  JOIN rule_sets AS r ON r.rule_set = s.rule_set
  WHERE s.scenario = $scenario AND s.compared AND s.landlord IS NOT NULL AND s.doublings_uncapped IS NOT NULL
    AND coalesce(r.parameters ->> 'events.combine', 'product') = 'product'
    AND coalesce(r.parameters ->> 'events.bomb_reading', 'power') = 'power'
)
SELECT
  rule_set, doublings_uncapped AS doublings,
  sum(number)::BIGINT AS hands,
  coalesce(sum(number) FILTER (cap_bites), 0)::BIGINT AS capped,
  (sum(stake * times) / sum(number))::DECIMAL(38, 4) AS stake,
  (sum(cap_amount * times) / sum(number))::DECIMAL(38, 4) AS cut,
  CASE WHEN doublings_uncapped > 0
    THEN (sum(greatest(stake - cap_amount, 0) * times) / sum(2 * number))::DECIMAL(38, 4) END AS last_doubling
FROM played
GROUP BY rule_set, doublings_uncapped
ORDER BY list_position($rule_sets, rule_set), doublings_uncapped
