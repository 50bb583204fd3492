-- grain: one row per verdict and cause, of the hands recorded under the baseline
-- A hand counts once, under the worst verdict of its seats; recorded scores are recomputed with recorded balances.
SELECT verdict, cause, count(*) AS hands
FROM (
  SELECT
    hand_id,
    CASE min(rank) WHEN 0 THEN 'unexplained' WHEN 1 THEN 'explained' ELSE 'exact' END AS verdict,
    arg_min(cause, rank) AS cause
  FROM (
    SELECT hand_id, cause, CASE verdict WHEN 'unexplained' THEN 0 WHEN 'explained' THEN 1 ELSE 2 END AS rank
    FROM reconciliation
    WHERE rule_set = $baseline
  )
  GROUP BY hand_id
)
GROUP BY ALL
ORDER BY ALL
