-- grain: one row per rule set and quantity, over the hands that every rule set scores
-- How unequal amounts are that cannot be negative: 0 where all are the same, near 1 where one has everything. `stake`: what the
-- landlord plays for in a hand; `balance_before` and `balance_after`: what seats have. NULL where some amount is below zero.
-- Recorded balances before a hand are the same under every rule set, and told of the baseline. Rule sets and quantities are numbers
-- here, by which grouping and sorting take half as long.
WITH balances AS (
  SELECT
    list_position($rule_sets, rule_set)::TINYINT AS rules, 2::TINYINT AS quantity,
    unnest([balance_landlord, balance_down, balance_up])::DOUBLE AS amount
  FROM compared_balances($rule_sets)
  WHERE scenario = $scenario AND (rule_set = $baseline OR scenario <> 'recorded')
  UNION ALL
  SELECT list_position($rule_sets, rule_set)::TINYINT, 3::TINYINT, unnest([left_landlord, left_down, left_up])::DOUBLE
  FROM compared_balances($rule_sets)
  WHERE scenario = $scenario
),
counted AS (
  SELECT rules, quantity, amount, count(*) AS number FROM balances GROUP BY ALL
  UNION ALL
  SELECT
    list_position($rule_sets, rule_set)::TINYINT, 1::TINYINT, (stake_down + stake_up)::DOUBLE AS amount, sum(number)::BIGINT
  FROM settled_counts($rule_sets)
  WHERE scenario = $scenario AND compared
  GROUP BY ALL
),
running AS (
  SELECT
    rules, quantity, amount, number,
    (sum(number) OVER (ORDER BY rules, quantity, amount ROWS UNBOUNDED PRECEDING) - number)::DOUBLE AS before
  FROM counted
  WHERE amount IS NOT NULL
),
-- each of `number` equal amounts stands at the middle of the places that they take
measured AS (
  SELECT
    ($rule_sets)[rules] AS rule_set,
    (['stake', 'balance_before', 'balance_after'])[quantity] AS quantity,
    sum(number)::BIGINT AS amounts,
    count(*) FILTER (amount < 0) AS negative,
    CASE WHEN min(amount) >= 0 AND max(amount) > 0 THEN (
      (2 * (sum(number * amount * (before + (number + 1) / 2)) / sum(number * amount) - min(before)) - 1) / sum(number) - 1
    )::DECIMAL(9, 4) END AS gini
  FROM running
  GROUP BY rules, running.quantity
)
SELECT r.rule_set, m.quantity, m.amounts, m.negative, m.gini
FROM (SELECT unnest($rule_sets) AS rule_set) AS r
JOIN measured AS m ON m.rule_set = CASE WHEN m.quantity = 'balance_before' AND $scenario = 'recorded' THEN $baseline ELSE r.rule_set END
ORDER BY list_position($rule_sets, r.rule_set), list_position(['stake', 'balance_before', 'balance_after'], m.quantity)
