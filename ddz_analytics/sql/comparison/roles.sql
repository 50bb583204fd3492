-- grain: one row per other rule set and role
-- Percentiles are of the difference, each a value that occurs; `worst_twentieth` is its mean over the 5 % of hands (at least one) that
-- fare worst (expected shortfall).
WITH ranked AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY rule_set, role ORDER BY difference, hand_id) * 20
    < count(*) OVER (PARTITION BY rule_set, role) + 20 AS among_worst
  FROM paired_scores($baseline, $others)
  WHERE scenario = $scenario
),
summary AS (
  SELECT
    rule_set, role,
    count(*) AS hands,
    count(*) FILTER (difference <> 0) AS differing,
    avg(baseline_score)::DECIMAL(38, 4) AS mean_baseline,
    avg(other_score)::DECIMAL(38, 4) AS mean_other,
    avg(difference)::DECIMAL(38, 4) AS mean_difference,
    stddev_samp(difference)::DECIMAL(38, 4) AS sd_difference,
    sum(difference)::DECIMAL(38, 4) AS total_difference,
    quantile_disc(difference, [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]) AS percentiles,
    min(difference) AS largest_loss,
    max(difference) AS largest_gain,
    (avg(difference) FILTER (among_worst))::DECIMAL(38, 4) AS worst_twentieth,
    avg((difference > 0)::INTEGER)::DECIMAL(9, 4) AS share_better,
    avg((difference < 0)::INTEGER)::DECIMAL(9, 4) AS share_worse,
    (1 - avg((difference > 0)::INTEGER)::DECIMAL(9, 4) - avg((difference < 0)::INTEGER)::DECIMAL(9, 4))::DECIMAL(9, 4) AS share_same
  FROM ranked
  GROUP BY rule_set, role
)
SELECT
  rule_set, role, hands, differing,
  mean_baseline, mean_other, mean_difference, sd_difference, total_difference,
  percentiles[1] AS p1, percentiles[2] AS p5, percentiles[3] AS p25, percentiles[4] AS p50,
  percentiles[5] AS p75, percentiles[6] AS p95, percentiles[7] AS p99, worst_twentieth,
  largest_loss, largest_gain, share_better, share_worse, share_same
FROM summary
ORDER BY rule_set, role
