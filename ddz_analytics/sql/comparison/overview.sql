-- grain: one row per rule set
-- `liability_moved`: what answering for autoplay takes from a seat or the house.
-- Means are over the hands with a landlord that the rule set scores; `largest` is the most that a seat wins or loses in one hand.
SELECT
  s.rule_set,
  any_value(s.rule_hash) AS rule_hash,
  count(*) FILTER (s.score_status = 'exact') AS exact,
  count(*) FILTER (s.score_status = 'projected') AS projected,
  count(*) FILTER (s.score_status = 'undefined') AS undefined,
  (avg(s.net_landlord) FILTER (h.landlord_seat IS NOT NULL))::DECIMAL(38, 2) AS landlord_mean,
  (avg((s.net_down + s.net_up) / 2) FILTER (h.landlord_seat IS NOT NULL))::DECIMAL(38, 2) AS peasant_mean,
  max(greatest(abs(s.net_landlord), abs(s.net_down), abs(s.net_up))) AS largest,
  count(*) FILTER (s.cap_bites) AS capped_hands,
  sum(
    greatest(-s.liability_landlord, 0) + greatest(-s.liability_down, 0) + greatest(-s.liability_up, 0)
    + greatest(s.liability_landlord + s.liability_down + s.liability_up, 0)
  )::DECIMAL(38, 4) AS liability_moved,
  sum(s.house_net)::DECIMAL(38, 4) AS house
FROM settlements AS s
JOIN hands AS h ON h.hand_id = s.hand_id
WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets))
GROUP BY s.rule_set
ORDER BY list_position($rule_sets, s.rule_set)
