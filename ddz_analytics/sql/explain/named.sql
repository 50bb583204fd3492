-- grain: one row per hand that a name may mean: its number, the id that its source gave it, or table/id
SELECT hand_id, source_hand_id, table_id, source_path, source_line, hand_id::VARCHAR = $name AS by_number
FROM hands
WHERE hand_id::VARCHAR = $name OR source_hand_id = $name OR table_id || '/' || source_hand_id = $name
ORDER BY hand_id
