-- grain: one row for hands from $first on and before $end: scores that are not what flows to the seat less what flows from it
-- Flows follow from the amounts of a settlement alone, so that one of each kind is looked at.
WITH kinds AS (
  SELECT unnest(any_value({'scenario': s.scenario, 'rule_set': s.rule_set, 'hand_id': s.hand_id})), count(*) AS alike
  FROM settlements AS s
  JOIN hands AS h ON h.hand_id = s.hand_id
  WHERE s.score_status <> 'undefined' AND s.hand_id >= $first AND s.hand_id < $end
  GROUP BY
    h.landlord_seat,
    transfer_landlord, transfer_down, transfer_up, liability_landlord, liability_down, liability_up,
    balance_cut_landlord, balance_cut_down, balance_cut_up, fee_landlord, fee_down, fee_up,
    rake_landlord, rake_down, rake_up, fine_landlord, fine_down, fine_up, net_landlord, net_down, net_up
),
amounts AS (
  SELECT scenario, rule_set, hand_id, seat, -score AS amount
  FROM scores
  WHERE hand_id >= $first AND hand_id < $end
  UNION ALL
  SELECT scenario, rule_set, hand_id, unnest([payer, receiver]), unnest([-amount, amount])
  FROM flows
  WHERE hand_id >= $first AND hand_id < $end
)
SELECT coalesce(sum(alike), 0)::BIGINT AS number, min(hand_id) AS example
FROM (
  SELECT hand_id, any_value(alike) AS alike
  FROM amounts
  JOIN kinds USING (scenario, rule_set, hand_id)
  WHERE seat IS NOT NULL
  GROUP BY scenario, rule_set, hand_id, seat
  HAVING sum(amount) <> 0 OR bool_or(amount IS NULL)
)
