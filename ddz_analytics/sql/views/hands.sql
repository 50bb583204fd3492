-- grain: one row per hand
SELECT
  hand_id, content_hash, deal_id, source_hand_id, source_format, source_path, source_line, evidence,
  table_id, match_id, hand_no, event,
  started_at, ended_at,
  local_time_of(started_at) AS local_time,
  local_time_of(started_at)::DATE AS local_day,
  recorded_rules, room_unit, room_low, room_high, room_rate, room_fee, room_double_threshold,
  landlord_seat::BIGINT AS landlord_seat,
  first_seat::BIGINT AS first_seat,
  CASE WHEN coalesce(extra, '') NOT LIKE '%"_bottom":"unknown"%' THEN cards_text(bottom) END AS bottom,
  CASE WHEN coalesce(extra, '') NOT LIKE '%"_bottom":"unknown"%' THEN bottom END AS bottom_mask,
  wild_rank, suited, shuffle, outcome, recorded_bid, recorded_multiplier,
  extra::JSON AS extra
FROM stored.hands
