-- grain: one row per rule set, over the hands that every rule set scores
-- Losing peasants who answer for autoplay (`liable`), those of them who cannot pay (`short`), what they leave unpaid of what they owe
-- up to what the landlord has, and what the other peasant pays for that.
WITH losers AS (
  SELECT
    s.rule_set,
    greatest(s.balance_landlord, 0) AS landlord_has,
    unnest([s.liable_down, s.liable_up]) AS liable,
    unnest([s.balance_cut_down, s.balance_cut_up]) AS balance_cut,
    unnest([s.transfer_down + s.liability_down, s.transfer_up + s.liability_up]) AS gained,
    unnest([
      balance_left(s.balance_down, s.net_down, s.fee_apart_down), balance_left(s.balance_up, s.net_up, s.fee_apart_up)
    ]) AS has_left
  FROM settlements AS s
  JOIN compared_hands($rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
  WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets)) AND c.landlord_won
),
missed AS (
  SELECT *, balance_cut - greatest(-gained - landlord_has, 0) AS missing FROM losers
)
SELECT
  rule_set,
  count(*) FILTER (liable) AS liable,
  count(*) FILTER (liable AND has_left <= 0 AND missing > 0) AS short,
  coalesce(sum(missing) FILTER (liable AND has_left <= 0 AND missing > 0), 0)::DECIMAL(38, 4) AS unpaid,
  count(*) FILTER (NOT liable AND balance_cut < 0) AS partners_paid,
  coalesce(-sum(balance_cut) FILTER (NOT liable AND balance_cut < 0), 0)::DECIMAL(38, 4) AS partner_paid
FROM missed
GROUP BY rule_set
ORDER BY list_position($rule_sets, rule_set)
