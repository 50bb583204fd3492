-- grain: one row per rule set, reason, payer and receiver, over the hands that every rule set scores
-- A party is the house, NULL for a seat without a role, or what autoplay made of the seat (see the macro compared_hands). `hands`:
-- those in which something passes; `amount_a_hand`: over all hands compared.
WITH passed AS (
  SELECT
    f.rule_set, f.hand_id, f.reason, f.amount, c.hands,
    CASE WHEN f.payer IS NULL THEN 'house' ELSE at_seat(c.landlord, c.down, c.up, f.payer, c.landlord_seat) END AS payer,
    CASE WHEN f.receiver IS NULL THEN 'house' ELSE at_seat(c.landlord, c.down, c.up, f.receiver, c.landlord_seat) END AS receiver
  FROM flows AS f
  JOIN (SELECT *, count(*) OVER () AS hands FROM compared_hands($rule_sets) WHERE scenario = $scenario) AS c
    ON c.hand_id = f.hand_id
  WHERE f.scenario = $scenario AND f.rule_set IN (SELECT unnest($rule_sets))
),
by_hand AS (
  SELECT rule_set, reason, payer, receiver, hand_id, any_value(hands) AS compared, sum(amount) AS amount
  FROM passed
  GROUP BY rule_set, reason, payer, receiver, hand_id
)
SELECT
  rule_set, reason, payer, receiver,
  count(*) AS hands,
  sum(amount)::DECIMAL(38, 4) AS amount,
  (sum(amount) / any_value(compared))::DECIMAL(38, 4) AS amount_a_hand
FROM by_hand
GROUP BY rule_set, reason, payer, receiver
ORDER BY
  list_position($rule_sets, rule_set),
  list_position(['stake', 'liability', 'forfeit', 'balance', 'fine', 'fee', 'rake'], reason), payer, receiver
