-- grain: one row for the whole store: facts, plays, issues, episodes and settlements of hands that are not stored
SELECT count(*) AS number, min(hand_id) AS example
FROM (
  SELECT DISTINCT hand_id FROM hand_facts
  UNION SELECT DISTINCT hand_id FROM stored.plays
  UNION SELECT DISTINCT hand_id FROM hand_issues
  UNION SELECT DISTINCT hand_id FROM autoplay_episodes
  UNION SELECT DISTINCT hand_id FROM settlements
)
WHERE hand_id NOT IN (SELECT hand_id FROM hands)
