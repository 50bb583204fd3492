-- grain: one row per episode of autoplay in the hands in question
SELECT hand_id, seat, start_index, end_index, cards_at_start, cards_at_end, reason
FROM autoplay_episodes
WHERE hand_id IN (SELECT unnest($hands))
ORDER BY hand_id, start_index, seat
