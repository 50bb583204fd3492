-- grain: one row per replay status; hands that nobody replayed, and of which nobody says it, are `not_said`
SELECT coalesce(replay_status, 'not_said') AS replay_status, count(*) AS hands
FROM hand_facts
GROUP BY 1
ORDER BY replay_status
