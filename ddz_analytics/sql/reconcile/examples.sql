-- grain: one row per rule set (or scale), verdict, cause and example hand, at least one of each; `hands` counts all like it
-- A hand counts once, under the worst verdict of its seats; its scores are those of seats 0, 1 and 2.
WITH seats AS (
  SELECT *, CASE verdict WHEN 'unexplained' THEN 0 WHEN 'explained' THEN 1 ELSE 2 END AS worse FROM reconciliation
),
by_hand AS (
  SELECT
    hand_id, any_value(rule_set) AS rule_set, arg_min(verdict, worse) AS verdict, arg_min(cause, worse) AS cause,
    any_value(recorded) FILTER (seat = 0) AS recorded_0, any_value(recomputed) FILTER (seat = 0) AS recomputed_0,
    any_value(recorded) FILTER (seat = 1) AS recorded_1, any_value(recomputed) FILTER (seat = 1) AS recomputed_1,
    any_value(recorded) FILTER (seat = 2) AS recorded_2, any_value(recomputed) FILTER (seat = 2) AS recomputed_2
  FROM seats
  GROUP BY hand_id
),
numbered AS (
  SELECT *, count(*) OVER kinds AS hands, row_number() OVER (kinds ORDER BY hand_id) AS example
  FROM by_hand
  WINDOW kinds AS (PARTITION BY rule_set, verdict, cause)
)
SELECT
  n.rule_set, r.rule_hash, n.verdict, n.cause, n.hands, n.example,
  n.hand_id, h.source_hand_id, h.source_path, h.source_line,
  concat_ws(' / ', coalesce(recorded_0::VARCHAR, '-'), coalesce(recorded_1::VARCHAR, '-'), coalesce(recorded_2::VARCHAR, '-')) AS recorded,
  concat_ws(' / ', coalesce(recomputed_0::VARCHAR, '-'), coalesce(recomputed_1::VARCHAR, '-'), coalesce(recomputed_2::VARCHAR, '-'))
    AS recomputed
FROM numbered AS n
JOIN hands AS h ON h.hand_id = n.hand_id
LEFT JOIN rule_sets AS r ON r.rule_set = n.rule_set
WHERE n.example <= greatest($examples, 1)
ORDER BY n.rule_set, n.verdict, n.cause, n.example
