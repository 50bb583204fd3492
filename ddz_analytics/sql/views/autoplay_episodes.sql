-- grain: one row per hand, seat and episode of autoplay
SELECT
  hand_id, seat::BIGINT AS seat, episode::BIGINT AS episode,
  start_index, end_index, cards_at_start, cards_at_end, reason
FROM stored.episodes
