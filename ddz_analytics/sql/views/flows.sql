-- grain: one row per scenario, rule set, hand, payer, receiver and reason; a party is a seat, or NULL for the house
-- Each component is what three roles gain or lose by one rule, the house taking up the difference. In a component either one
-- party pays or one party receives (the landlord, the house, the seat that answers for another), so that the smaller of what
-- the payer loses and the receiver gains is what passes between the two.
WITH components AS (
  SELECT scenario, rule_set, hand_id, 'stake' AS reason,
    transfer_landlord AS landlord, transfer_down AS down, transfer_up AS up FROM stored.settlements
  UNION ALL
  SELECT scenario, rule_set, hand_id, 'liability', liability_landlord, liability_down, liability_up FROM stored.settlements
  UNION ALL
  SELECT scenario, rule_set, hand_id, 'balance', balance_cut_landlord, balance_cut_down, balance_cut_up
  FROM stored.settlements
  UNION ALL
  SELECT scenario, rule_set, hand_id, 'fee', fee_landlord, fee_down, fee_up FROM stored.settlements
  UNION ALL
  SELECT scenario, rule_set, hand_id, 'rake', rake_landlord, rake_down, rake_up FROM stored.settlements
  UNION ALL
  SELECT scenario, rule_set, hand_id, 'fine', fine_landlord, fine_down, fine_up FROM stored.settlements
),
pairs (payer, receiver) AS (
  SELECT p.place, r.place
  FROM (SELECT unnest([0, 1, 2, 3]::BIGINT[]) AS place) AS p, (SELECT unnest([0, 1, 2, 3]::BIGINT[]) AS place) AS r
  WHERE p.place <> r.place
),
passing AS (
  SELECT scenario, rule_set, hand_id, reason, payer, receiver,
    CASE payer WHEN 0 THEN -landlord WHEN 1 THEN -down WHEN 2 THEN -up ELSE landlord + down + up END AS lost,
    CASE receiver WHEN 0 THEN landlord WHEN 1 THEN down WHEN 2 THEN up ELSE -(landlord + down + up) END AS gained
  FROM components, pairs
  WHERE landlord <> 0 OR down <> 0 OR up <> 0
)
SELECT
  p.scenario, p.rule_set, p.hand_id,
  CASE WHEN p.payer < 3 THEN seat_of(p.payer, h.landlord_seat) END AS payer,
  CASE WHEN p.receiver < 3 THEN seat_of(p.receiver, h.landlord_seat) END AS receiver,
  CASE WHEN p.reason = 'liability' AND p.receiver = 3 THEN 'forfeit' ELSE p.reason END AS reason,
  least(p.lost, p.gained)::DECIMAL(18, 4) AS amount
FROM passing AS p
LEFT JOIN stored.hands AS h ON h.hand_id = p.hand_id
WHERE p.lost > 0 AND p.gained > 0
