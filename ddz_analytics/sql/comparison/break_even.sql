-- grain: one row per other rule set
-- By how much the landlord's win rate would have to move, play being as it is, to give him back what the other rule set takes: the
-- mean difference over what a win is worth to him under the baseline. Over the hands with a winner that both score.
WITH paired AS (
  SELECT p.rule_set, p.baseline_score, p.difference, f.winner_side = 'landlord' AS won
  FROM paired_scores($baseline, $others) AS p
  JOIN hand_facts AS f ON f.hand_id = p.hand_id
  WHERE p.scenario = $scenario AND p.role = 'landlord' AND f.winner_side IS NOT NULL
)
SELECT
  rule_set,
  count(*) AS hands,
  avg(won::INTEGER)::DECIMAL(9, 4) AS win_rate,
  (avg(baseline_score) FILTER (won))::DECIMAL(38, 4) AS mean_if_won,
  (avg(baseline_score) FILTER (NOT won))::DECIMAL(38, 4) AS mean_if_lost,
  avg(difference)::DECIMAL(38, 4) AS mean_difference,
  (-avg(difference) / nullif((avg(baseline_score) FILTER (won)) - (avg(baseline_score) FILTER (NOT won)), 0))::DECIMAL(38, 4) AS break_even
FROM paired
GROUP BY rule_set
ORDER BY rule_set
