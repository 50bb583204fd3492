-- grain: one row per rule set and quantity, over the hands that every rule set scores
-- How unequal amounts are that cannot be negative: 0 where all are the same, near 1 where one has everything. `stake`: what the
-- landlord plays for in a hand; `balance_before` and `balance_after`: what seats have. NULL where some amount is below zero.
WITH compared AS (
  SELECT hand_id FROM compared_hands($rule_sets) WHERE scenario = $scenario
),
settled AS NOT MATERIALIZED (
  SELECT *
  FROM settlements
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets)) AND hand_id IN (SELECT hand_id FROM compared)
),
counted AS (
  SELECT rule_set, 'stake' AS quantity, (stake_down + stake_up)::DECIMAL(38, 4) AS amount, count(*) AS number
  FROM settled
  GROUP BY ALL
  UNION ALL
  SELECT rule_set, 'balance_before', amount, count(*)
  FROM (SELECT rule_set, unnest([balance_landlord, balance_down, balance_up]) AS amount FROM settled)
  GROUP BY ALL
  UNION ALL
  SELECT rule_set, 'balance_after', amount, count(*)
  FROM (
    SELECT rule_set, unnest([
      balance_left(balance_landlord, net_landlord, fee_apart_landlord),
      balance_left(balance_down, net_down, fee_apart_down),
      balance_left(balance_up, net_up, fee_apart_up)
    ]) AS amount
    FROM settled
  )
  GROUP BY ALL
),
running AS (
  SELECT *, (sum(number) OVER (PARTITION BY rule_set, quantity ORDER BY amount) - number)::DOUBLE AS below
  FROM counted
  WHERE amount IS NOT NULL
)
-- each of `number` equal amounts stands at the middle of the places that they take
SELECT
  rule_set, quantity,
  sum(number)::BIGINT AS amounts,
  count(*) FILTER (amount < 0) AS negative,
  CASE WHEN min(amount) >= 0 AND max(amount) > 0 THEN (
    (2 * sum(number * amount::DOUBLE * (below + (number + 1) / 2)) / sum(number * amount::DOUBLE) - 1) / sum(number) - 1
  )::DECIMAL(9, 4) END AS gini
FROM running
GROUP BY rule_set, quantity
ORDER BY list_position($rule_sets, rule_set), list_position(['stake', 'balance_before', 'balance_after'], quantity)
