-- grain: one row per hand
-- Hands of one deal, match or table are not independent of each other, so intervals count such clusters and not hands: the deal
-- where most hands share theirs with another one, else the match, else the table, else the hand by itself. `cluster` is its first hand.
WITH shared AS (
  SELECT coalesce(sum(played) FILTER (played > 1) / sum(played) > 0.5, false) AS deals
  FROM (SELECT count(*) AS played FROM hands WHERE deal_id IS NOT NULL GROUP BY deal_id)
),
named AS (
  SELECT
    h.hand_id,
    CASE
      WHEN s.deals AND h.deal_id IS NOT NULL THEN 'deal'
      WHEN h.match_id IS NOT NULL THEN 'match'
      WHEN h.table_id IS NOT NULL THEN 'table'
      ELSE 'hand'
    END AS clustered_by,
    CASE clustered_by
      WHEN 'deal' THEN h.deal_id::VARCHAR
      WHEN 'match' THEN concat_ws(' ', h.source_format, h.match_id)
      WHEN 'table' THEN concat_ws(' ', h.source_format, h.table_id)
    END AS name
  FROM hands AS h
  CROSS JOIN shared AS s
)
SELECT n.hand_id, n.clustered_by, coalesce(c.cluster, n.hand_id) AS cluster
FROM named AS n
LEFT JOIN (SELECT clustered_by, name, min(hand_id) AS cluster FROM named WHERE name IS NOT NULL GROUP BY clustered_by, name) AS c
  ON c.clustered_by = n.clustered_by AND c.name = n.name
