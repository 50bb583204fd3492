-- grain: one row per match in which both players played: the one ahead, the one behind, and what decides it
-- `through`: the players of the tied group, other than the two, who shared their last hand with one of the two.
WITH two AS (
  SELECT *, struct_pack(points := points, last_hand := last_hand_id, last_key := last_key, registered := registered) AS standing
  FROM standings
  WHERE scenario = $scenario AND rule_set = $rule_set AND player IN ($one, $two) AND ($match::VARCHAR IS NULL OR match_id = $match)
)
SELECT
  a.match_id, a.event,
  decided_between(a.standing, b.standing) AS decided_by,
  coalesce(a.last_hand_id = b.last_hand_id, false) AS same_last_hand,
  a.player AS ahead, a.points AS ahead_points, a.registered AS ahead_registered,
  a.last_hand_id AS ahead_last_hand, a.last_score AS ahead_last_score,
  b.player AS behind, b.points AS behind_points, b.registered AS behind_registered,
  b.last_hand_id AS behind_last_hand, b.last_score AS behind_last_score,
  (
    SELECT string_agg(t.player, ', ' ORDER BY t.place)
    FROM standings AS t
    WHERE t.scenario = $scenario AND t.rule_set = $rule_set AND t.match_id = a.match_id AND t.tie_group = a.tie_group
      AND t.last_hand_id IN (a.last_hand_id, b.last_hand_id) AND t.player NOT IN ($one, $two)
  ) AS through
FROM two AS a
JOIN two AS b ON b.match_id = a.match_id AND a.place < b.place
