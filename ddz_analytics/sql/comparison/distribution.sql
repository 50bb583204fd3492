-- grain: one row per other rule set, role and step of the score, over the hands that both rule sets score
-- Step 0 is a score of zero; step n > 0 holds scores from 2^(n-2) to below 2^(n-1), step 1 those below one point; losses are
-- negative steps. The step comes from the digits of the whole part, so that no rounding moves a score.
WITH stepped AS (
  SELECT
    rule_set, role, number,
    unnest(['baseline', 'other']) AS side,
    unnest([baseline_score, other_score]) AS score
  FROM paired_counts($baseline, $others)
  WHERE scenario = $scenario AND role IS NOT NULL
)
SELECT
  rule_set, role,
  (sign(score) * CASE WHEN abs(score) < 1 THEN 1 ELSE 1 + length(bin(trunc(abs(score))::BIGINT)) END)::BIGINT AS step,
  coalesce(sum(number) FILTER (side = 'baseline'), 0)::BIGINT AS baseline,
  coalesce(sum(number) FILTER (side = 'other'), 0)::BIGINT AS other
FROM stepped
GROUP BY ALL
ORDER BY rule_set, role, step
