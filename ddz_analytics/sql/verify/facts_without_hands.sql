-- grain: one row for the whole store: facts, plays, issues, episodes and settlements of hands that are not stored
SELECT count(DISTINCT hand_id) AS number, min(hand_id) AS example
FROM (
  SELECT hand_id FROM hand_facts
  UNION ALL SELECT hand_id FROM stored.plays
  UNION ALL SELECT hand_id FROM hand_issues
  UNION ALL SELECT hand_id FROM autoplay_episodes
  UNION ALL SELECT hand_id FROM settlements
)
ANTI JOIN hands USING (hand_id)
