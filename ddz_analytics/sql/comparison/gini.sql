-- grain: one row per rule set and quantity, over the hands that every rule set scores
-- How unequal amounts are that cannot be negative: 0 where all are the same, near 1 where one has everything. `stake`: what the
-- landlord plays for in a hand; `balance_before` and `balance_after`: what seats have. NULL where some amount is below zero.
-- Rule sets and quantities are numbers here, by which sorting takes half as long.
WITH compared AS (
  SELECT hand_id FROM compared_hands($rule_sets) WHERE scenario = $scenario
),
settled AS NOT MATERIALIZED (
  SELECT *, list_position($rule_sets, rule_set)::SMALLINT AS rules
  FROM settlements
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets)) AND hand_id IN (SELECT hand_id FROM compared)
),
stakes AS (
  SELECT
    list_position($rule_sets, rule_set)::SMALLINT AS rules, 1::TINYINT AS quantity,
    (stake_down + stake_up)::DECIMAL(38, 4) AS amount, sum(number)::BIGINT AS number
  FROM settled_counts($rule_sets)
  WHERE scenario = $scenario AND compared
  GROUP BY ALL
),
balances AS (
  SELECT rules, 2::TINYINT AS quantity, unnest([balance_landlord, balance_down, balance_up]) AS amount
  FROM settled
  UNION ALL
  SELECT rules, 3::TINYINT, unnest([
    balance_left(balance_landlord, net_landlord, fee_apart_landlord),
    balance_left(balance_down, net_down, fee_apart_down),
    balance_left(balance_up, net_up, fee_apart_up)
  ])
  FROM settled
),
counted AS (
  FROM stakes
  UNION ALL
  SELECT rules, quantity, amount, count(*) FROM balances GROUP BY ALL
),
running AS (
  SELECT
    rules, quantity, amount, number,
    (sum(number) OVER (ORDER BY rules, quantity, amount ROWS UNBOUNDED PRECEDING) - number)::DOUBLE AS before
  FROM counted
  WHERE amount IS NOT NULL
)
-- each of `number` equal amounts stands at the middle of the places that they take
SELECT
  ($rule_sets)[rules] AS rule_set,
  (['stake', 'balance_before', 'balance_after'])[quantity] AS quantity,
  sum(number)::BIGINT AS amounts,
  count(*) FILTER (amount < 0) AS negative,
  CASE WHEN min(amount) >= 0 AND max(amount) > 0 THEN (
    (2 * (sum(number * amount::DOUBLE * (before + (number + 1) / 2)) / sum(number * amount::DOUBLE) - min(before)) - 1)
      / sum(number) - 1
  )::DECIMAL(9, 4) END AS gini
FROM running
GROUP BY rules, running.quantity
ORDER BY rules, running.quantity
