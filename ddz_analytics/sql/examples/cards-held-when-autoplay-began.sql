-- grain: one row per number of cards and reason
-- en: How many cards were held when autoplay began, and why did it begin?
-- zh: 托管开始时手中还有几张牌，因何开始？
SELECT cards_at_start, reason, count(*) AS episodes, count(DISTINCT hand_id) AS hands
FROM autoplay_episodes
GROUP BY cards_at_start, reason
ORDER BY cards_at_start DESC, reason
