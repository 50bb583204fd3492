-- grain: one row for hands from $first on and before $end: facts, plays, issues, episodes and settlements of hands that are not stored
SELECT count(DISTINCT hand_id) AS number, min(hand_id) AS example
FROM (
  SELECT hand_id FROM stored.facts
  UNION ALL SELECT hand_id FROM stored.plays
  UNION ALL SELECT hand_id FROM stored.issues
  UNION ALL SELECT hand_id FROM stored.episodes
  UNION ALL SELECT hand_id FROM stored.settlements
)
WHERE hand_id >= $first AND hand_id < $end
  AND hand_id NOT IN (SELECT hand_id FROM stored.hands WHERE hand_id >= $first AND hand_id < $end)
