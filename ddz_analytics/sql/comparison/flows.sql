-- grain: one row per rule set, reason, payer and receiver, over the hands that every rule set scores
-- A party is the house, NULL for a seat without a role, or what autoplay made of the seat (see the macro compared_hands). `hands`:
-- those in which something passes; `amount_a_hand`: over all hands compared. What passes between two is told as in the view flows,
-- on the rows of settled_counts, each of which stands for `number` hands.
WITH counted AS (
  SELECT *, row_number() OVER () AS outcome, sum(number) OVER (PARTITION BY rule_set) AS hands
  FROM settled_counts($rule_sets)
  WHERE scenario = $scenario AND compared
),
components AS (
  SELECT
    rule_set, outcome, number, hands, landlord, down, up,
    unnest(['stake', 'liability', 'balance', 'fee', 'rake', 'fine']) AS reason,
    unnest([transfer_landlord, liability_landlord, balance_cut_landlord, fee_landlord, rake_landlord, fine_landlord]) AS by_landlord,
    unnest([transfer_down, liability_down, balance_cut_down, fee_down, rake_down, fine_down]) AS by_down,
    unnest([transfer_up, liability_up, balance_cut_up, fee_up, rake_up, fine_up]) AS by_up
  FROM counted
),
gains AS (
  SELECT
    rule_set, outcome, number, hands, reason,
    unnest([landlord, down, up, 'house']) AS party,
    unnest([by_landlord, by_down, by_up, -(by_landlord + by_down + by_up)]) AS gained
  FROM components
),
passed AS (
  SELECT
    p.rule_set, p.outcome, p.number, p.hands,
    CASE WHEN p.reason = 'liability' AND r.party = 'house' THEN 'forfeit' ELSE p.reason END AS reason,
    p.party AS payer, r.party AS receiver,
    sum(least(-p.gained, r.gained)) AS amount
  FROM gains AS p
  JOIN gains AS r ON r.outcome = p.outcome AND r.reason = p.reason
  WHERE p.gained < 0 AND r.gained > 0
  GROUP BY ALL
)
SELECT
  rule_set, reason, payer, receiver,
  sum(number)::BIGINT AS hands,
  sum(amount * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS amount,
  (sum(amount * number::DECIMAL(18, 0)) / any_value(hands))::DECIMAL(38, 4) AS amount_a_hand
FROM passed
GROUP BY rule_set, reason, payer, receiver
ORDER BY
  list_position($rule_sets, rule_set),
  list_position(['stake', 'liability', 'forfeit', 'balance', 'fine', 'fee', 'rake'], reason), payer, receiver
