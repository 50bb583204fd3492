-- grain: one row per rule set and hand in question: what settling reads of it, with the balances of the scenario
SELECT
  s.rule_set,
  f.* REPLACE (
    s.landlord_balance AS landlord_balance, s.down_balance AS down_balance, s.up_balance AS up_balance
  )
FROM settle_facts AS f
JOIN (
  SELECT
    rule_set, hand_id,
    max(balance_before) FILTER (seat = coalesce(landlord_seat, 0)) AS landlord_balance,
    max(balance_before) FILTER (seat = (coalesce(landlord_seat, 0) + 1) % 3) AS down_balance,
    max(balance_before) FILTER (seat = (coalesce(landlord_seat, 0) + 2) % 3) AS up_balance
  FROM scores
  JOIN (SELECT hand_id, landlord_seat FROM hands) AS h USING (hand_id)
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets)) AND hand_id IN (SELECT unnest($hands))
  GROUP BY rule_set, hand_id
) AS s ON s.hand_id = f.hand_id
ORDER BY f.hand_id, list_position($rule_sets, s.rule_set)
