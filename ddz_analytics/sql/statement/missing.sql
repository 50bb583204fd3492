-- grain: one row per run of hand numbers that no hand of the store has, between a player's first and last hand at a table
WITH span AS (
  SELECT table_id, min(hand_no) AS first_no, max(hand_no) AS last_no
  FROM statement
  WHERE table_id IS NOT NULL AND hand_no IS NOT NULL
  GROUP BY table_id
),
present AS (
  SELECT DISTINCT h.table_id, h.hand_no
  FROM hands AS h
  JOIN span ON span.table_id = h.table_id AND h.hand_no BETWEEN span.first_no AND span.last_no
),
gap AS (
  SELECT table_id, hand_no + 1 AS first_missing, lead(hand_no) OVER (PARTITION BY table_id ORDER BY hand_no) - 1 AS last_missing
  FROM present
)
SELECT table_id, first_missing, last_missing
FROM gap
WHERE last_missing >= first_missing
ORDER BY table_id, first_missing
