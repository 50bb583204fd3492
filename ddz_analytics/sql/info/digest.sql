-- grain: one row for the whole relation, which is filled in; neither sum nor exclusive or depends on the order of rows
SELECT count(*), sum(row_hash)::VARCHAR, bit_xor(row_hash)::VARCHAR
FROM (SELECT hash(*COLUMNS(lambda name: name <> 'ingested_at')) AS row_hash FROM $relation)
