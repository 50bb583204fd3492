-- grain: one row: the hand in question as it is headed
SELECT
  hand_id, source_hand_id, source_format, source_path, source_line, evidence, table_id, match_id, hand_no, local_time, recorded_rules,
  landlord_seat, bottom, wild_rank, outcome
FROM hands
WHERE hand_id = $hand
