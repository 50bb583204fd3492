-- grain: one row per rule set and number of doublings before any cap, over the hands that every rule set scores
-- Only of rule sets whose events multiply one by one. `stake` is what the landlord plays for with both peasants together, `cut` what
-- caps take off it, `last_doubling` what he would play for less with one doubling fewer: half of it below a cap, nothing well above.
SELECT
  s.rule_set, s.doublings_uncapped AS doublings,
  count(*) AS hands,
  count(*) FILTER (s.cap_bites) AS capped,
  avg(s.stake_down + s.stake_up)::DECIMAL(38, 4) AS stake,
  avg(s.cap_amount)::DECIMAL(38, 4) AS cut,
  CASE WHEN s.doublings_uncapped > 0
    THEN avg(greatest((s.stake_down + s.stake_up)::DECIMAL(38, 4) - s.cap_amount, 0) / 2)::DECIMAL(38, 4) END AS last_doubling
FROM settlements AS s
JOIN compared_hands($rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
JOIN rule_sets AS r ON r.rule_set = s.rule_set
WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets)) AND c.landlord IS NOT NULL
  AND s.doublings_uncapped IS NOT NULL
  AND coalesce(r.parameters ->> 'events.combine', 'product') = 'product'
  AND coalesce(r.parameters ->> 'events.bomb_reading', 'power') = 'power'
GROUP BY s.rule_set, s.doublings_uncapped
ORDER BY list_position($rule_sets, s.rule_set), s.doublings_uncapped
