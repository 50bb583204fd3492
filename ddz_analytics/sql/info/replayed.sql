-- grain: one row per replay status
SELECT replay_status, count(*) AS hands
FROM hand_facts
GROUP BY replay_status
ORDER BY replay_status
