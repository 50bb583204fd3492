-- grain: one row per other rule set
-- By how much the landlord's win rate would have to move, play being as it is, to give him back what the other rule set takes: the
-- mean difference over what a win is worth to him under the baseline. Over the hands with a winner that both score.
WITH sums AS (
  SELECT
    rule_set,
    sum(number)::BIGINT AS hands,
    coalesce(sum(number) FILTER (winner_side = 'landlord'), 0)::BIGINT AS won,
    sum(baseline_score * number::DECIMAL(18, 0)) FILTER (winner_side = 'landlord') AS total_won,
    sum(baseline_score * number::DECIMAL(18, 0)) FILTER (winner_side <> 'landlord') AS total_lost,
    sum(difference * number::DECIMAL(18, 0)) AS total
  FROM paired_counts($baseline, $others)
  WHERE scenario = $scenario AND role = 'landlord' AND winner_side IS NOT NULL
  GROUP BY rule_set
),
means AS (
  SELECT *, total / hands AS mean, total_won / nullif(won, 0) AS if_won, total_lost / nullif(hands - won, 0) AS if_lost FROM sums
)
SELECT
  rule_set, hands,
  (won / hands)::DECIMAL(9, 4) AS win_rate,
  if_won::DECIMAL(38, 4) AS mean_if_won,
  if_lost::DECIMAL(38, 4) AS mean_if_lost,
  mean::DECIMAL(38, 4) AS mean_difference,
  (-mean / nullif(if_won - if_lost, 0))::DECIMAL(38, 4) AS break_even
FROM means
ORDER BY rule_set
