-- grain: one row per episode of autoplay in the hand in question
SELECT seat, start_index, end_index, cards_at_start, reason
FROM autoplay_episodes
WHERE hand_id = $hand
ORDER BY start_index, seat
