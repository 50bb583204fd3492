-- grain: one row per hand
-- Hands of one deal, match or table are not independent of each other, so intervals count such clusters and not hands: the deal
-- where most hands share theirs with another one, else the match, else the table, else the hand by itself.
SELECT
  hand_id,
  CASE
    WHEN shared THEN 'deal'
    WHEN match_id IS NOT NULL THEN 'match'
    WHEN table_id IS NOT NULL THEN 'table'
    ELSE 'hand'
  END AS clustered_by,
  CASE
    WHEN shared THEN concat('deal ', deal_id)
    WHEN match_id IS NOT NULL THEN concat_ws(' ', 'match', source_format, match_id)
    WHEN table_id IS NOT NULL THEN concat_ws(' ', 'table', source_format, table_id)
    ELSE concat('hand ', hand_id)
  END AS cluster
FROM (
  SELECT
    *,
    deal_id IS NOT NULL AND coalesce((avg((played > 1)::INTEGER) FILTER (deal_id IS NOT NULL) OVER ()) > 0.5, false) AS shared
  FROM (SELECT *, count(*) OVER (PARTITION BY deal_id) AS played FROM hands)
)
