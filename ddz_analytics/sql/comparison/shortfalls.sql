-- grain: one row per rule set, over the hands that every rule set scores
-- Losing peasants who answer for autoplay (`liable`), those of them who cannot pay (`short`), what they leave unpaid of what they owe
-- up to what the landlord has, and what the other peasant pays for that.
WITH losers AS (
  SELECT
    s.rule_set, s.liable, s.balance_cut,
    s.balance_cut - greatest(-s.transfer - s.liability - greatest(l.balance_before, 0), 0) AS missing,
    s.balance_after <= 0 AS has_nothing_left
  FROM scores AS s
  JOIN compared_hands($rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
  JOIN scores AS l
    ON l.scenario = s.scenario AND l.rule_set = s.rule_set AND l.hand_id = s.hand_id AND l.seat = c.landlord_seat
  WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets)) AND s.role <> 'landlord' AND NOT s.won
)
SELECT
  rule_set,
  count(*) FILTER (liable) AS liable,
  count(*) FILTER (liable AND has_nothing_left AND missing > 0) AS short,
  coalesce(sum(missing) FILTER (liable AND has_nothing_left AND missing > 0), 0)::DECIMAL(38, 4) AS unpaid,
  count(*) FILTER (NOT liable AND balance_cut < 0) AS partners_paid,
  coalesce(-sum(balance_cut) FILTER (NOT liable AND balance_cut < 0), 0)::DECIMAL(38, 4) AS partner_paid
FROM losers
GROUP BY rule_set
ORDER BY list_position($rule_sets, rule_set)
