-- grain: one row per other rule set and group of hands that it and the baseline score
-- The columns are those of the macro paired_hands.
CREATE TEMP TABLE shared.pairs AS
SELECT
  o.scenario, o.rule_set, o.alike,
  'projected' IN (b.score_status, o.score_status) AS projected,
  coalesce(b.stake, o.stake)::DECIMAL(38, 4) AS stake,
  b.net_landlord AS baseline_landlord, b.net_down AS baseline_down, b.net_up AS baseline_up, b.house_net AS baseline_house,
  o.net_landlord AS other_landlord, o.net_down AS other_down, o.net_up AS other_up, o.house_net AS other_house,
  greatest(abs(o.net_landlord - b.net_landlord), abs(o.net_down - b.net_down), abs(o.net_up - b.net_up))::DECIMAL(38, 4)
    AS largest_difference
FROM shared.scored AS o
JOIN (SELECT * REPLACE (nullif(stake, 0) AS stake) FROM shared.scored WHERE rule_set = $baseline) AS b ON b.alike = o.alike
WHERE o.rule_set IN (SELECT unnest($others))
