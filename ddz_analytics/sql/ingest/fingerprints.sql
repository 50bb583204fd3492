-- grain: one row per hand, in order
-- Hands of equal content have equal `content`, those of an equal key (ingest/dedupe.py) equal `key`; others may, though hardly ever.
SELECT
  content_hash,
  source_format,
  table_id,
  source_hand_id,
  hash(content_hash) AS content,
  CASE
    WHEN list_contains(getvariable('global_ids'), source_format) THEN hash(source_format, table_id, source_hand_id)
    ELSE hash(content_hash)
  END AS key
FROM hands
