-- grain: one row for hands from $first on and before $end: scores that are not what flows to the seat less what flows from it
-- Flows follow from the amounts of a settlement alone, so that one of each kind is looked at.
WITH kinds AS (
  SELECT unnest(any_value({'scenario': s.scenario, 'rule_set': s.rule_set, 'hand_id': s.hand_id})), count(*) AS alike
  FROM settlements AS s
  JOIN (SELECT DISTINCT hand_id, landlord_seat FROM hands WHERE hand_id >= $first AND hand_id < $end) AS h ON h.hand_id = s.hand_id
  WHERE s.score_status <> 'undefined' AND s.hand_id >= $first AND s.hand_id < $end
  GROUP BY
    h.landlord_seat,
    transfer_landlord, transfer_down, transfer_up, liability_landlord, liability_down, liability_up,
    balance_cut_landlord, balance_cut_down, balance_cut_up, fee_landlord, fee_down, fee_up,
    rake_landlord, rake_down, rake_up, fine_landlord, fine_down, fine_up, net_landlord, net_down, net_up
),
flown AS (
  SELECT scenario, rule_set, hand_id, seat, sum(amount) AS amount
  FROM (
    SELECT scenario, rule_set, hand_id, unnest([payer, receiver]) AS seat, unnest([-amount, amount]) AS amount
    FROM flows
    WHERE hand_id >= $first AND hand_id < $end
  )
  SEMI JOIN kinds USING (scenario, rule_set, hand_id)
  WHERE seat IS NOT NULL
  GROUP BY ALL
)
SELECT coalesce(sum(k.alike), 0)::BIGINT AS number, min(s.hand_id) AS example
FROM scores AS s
JOIN kinds AS k USING (scenario, rule_set, hand_id)
LEFT JOIN flown AS f USING (scenario, rule_set, hand_id, seat)
WHERE s.hand_id >= $first AND s.hand_id < $end AND s.score_status <> 'undefined' AND coalesce(f.amount, 0) IS DISTINCT FROM s.score
