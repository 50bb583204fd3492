-- grain: one row per other rule set and role
-- Percentiles are of the difference, each the smallest value that at least such a share of hands does not exceed; `worst_twentieth` is
-- its mean over the 5 % of hands (rounded up to whole ones) that fare worst (expected shortfall).
WITH counted AS (
  SELECT
    rule_set, role, difference,
    sum(number)::BIGINT AS number,
    sum(baseline_score * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS baseline_total,
    sum(other_score * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS other_total,
    (difference * sum(number))::DECIMAL(38, 4) AS total
  FROM paired_counts($baseline, $others)
  WHERE scenario = $scenario
  GROUP BY rule_set, role, difference
),
ranked AS (
  SELECT
    *,
    sum(number) OVER by_difference::BIGINT AS reached,
    sum(number) OVER whole::BIGINT AS hands,
    sum(total) OVER whole / sum(number) OVER whole AS mean
  FROM counted
  WINDOW whole AS (PARTITION BY rule_set, role), by_difference AS (PARTITION BY rule_set, role ORDER BY difference)
),
weighed AS (
  SELECT *, greatest(least((hands + 19) // 20 - (reached - number), number), 0) AS among_worst FROM ranked
),
shares AS (
  SELECT
    rule_set, role,
    sum(number)::BIGINT AS hands,
    coalesce(sum(number) FILTER (difference <> 0), 0)::BIGINT AS differing,
    (sum(baseline_total) / sum(number))::DECIMAL(38, 4) AS mean_baseline,
    (sum(other_total) / sum(number))::DECIMAL(38, 4) AS mean_other,
    any_value(mean)::DECIMAL(38, 4) AS mean_difference,
    sqrt(sum(number * (difference::DOUBLE - mean) ** 2) / nullif(sum(number) - 1, 0))::DECIMAL(38, 4) AS sd_difference,
    sum(total)::DECIMAL(38, 4) AS total_difference,
    min(difference) FILTER (reached >= 0.01 * hands) AS p1,
    min(difference) FILTER (reached >= 0.05 * hands) AS p5,
    min(difference) FILTER (reached >= 0.25 * hands) AS p25,
    min(difference) FILTER (reached >= 0.5 * hands) AS p50,
    min(difference) FILTER (reached >= 0.75 * hands) AS p75,
    min(difference) FILTER (reached >= 0.95 * hands) AS p95,
    min(difference) FILTER (reached >= 0.99 * hands) AS p99,
    (sum(difference * among_worst::DECIMAL(18, 0)) / sum(among_worst))::DECIMAL(38, 4) AS worst_twentieth,
    min(difference) AS largest_loss,
    max(difference) AS largest_gain,
    (coalesce(sum(number) FILTER (difference > 0), 0) / sum(number))::DECIMAL(9, 4) AS share_better,
    (coalesce(sum(number) FILTER (difference < 0), 0) / sum(number))::DECIMAL(9, 4) AS share_worse
  FROM weighed
  GROUP BY rule_set, role
)
SELECT *, (1 - share_better - share_worse)::DECIMAL(9, 4) AS share_same
FROM shares
ORDER BY rule_set, role
