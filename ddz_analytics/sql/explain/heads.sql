-- grain: one row per hand in question, as it is headed
SELECT
  hand_id, source_hand_id, source_format, source_path, source_line, evidence, table_id, match_id, hand_no, local_time, recorded_rules,
  landlord_seat, bottom, bottom_mask, suited, wild_rank, outcome
FROM hands
WHERE hand_id IN (SELECT unnest($hands))
ORDER BY hand_id
