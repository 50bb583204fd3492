-- grain: one row per rule set, over the hands that every rule set scores
-- Losing peasants who answer for autoplay (`liable`), those of them who cannot pay (`short`), what they leave unpaid of what they owe
-- up to what the landlord has, and what the other peasant pays for that.
WITH losers AS (
  SELECT
    rule_set,
    greatest(balance_landlord, 0) AS landlord_has,
    unnest([liable_down, liable_up]) AS liable,
    unnest([balance_cut_down, balance_cut_up]) AS balance_cut,
    unnest([gained_down, gained_up]) AS gained,
    unnest([left_down, left_up]) AS has_left
  FROM compared_balances($rule_sets)
  WHERE scenario = $scenario AND landlord_won AND (liable_down OR liable_up OR balance_cut_down < 0 OR balance_cut_up < 0)
),
missed AS (
  SELECT *, balance_cut - greatest(-gained - landlord_has, 0) AS missing FROM losers
)
SELECT
  r.rule_set,
  count(*) FILTER (m.liable) AS liable,
  count(*) FILTER (m.liable AND m.has_left <= 0 AND m.missing > 0) AS short,
  coalesce(sum(m.missing) FILTER (m.liable AND m.has_left <= 0 AND m.missing > 0), 0)::DECIMAL(38, 4) AS unpaid,
  count(*) FILTER (NOT m.liable AND m.balance_cut < 0) AS partners_paid,
  coalesce(-sum(m.balance_cut) FILTER (NOT m.liable AND m.balance_cut < 0), 0)::DECIMAL(38, 4) AS partner_paid
FROM (
  SELECT DISTINCT rule_set FROM settled_counts($rule_sets) WHERE scenario = $scenario AND compared AND landlord_won
) AS r
LEFT JOIN missed AS m ON m.rule_set = r.rule_set
GROUP BY r.rule_set
ORDER BY list_position($rule_sets, r.rule_set)
