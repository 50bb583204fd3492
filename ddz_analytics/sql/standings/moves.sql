-- grain: one row per match and player that stands under both rule sets; `moved` is how many places up (below zero: down)
SELECT
  a.match_id, a.player,
  a.rank AS rank, b.rank AS rank_vs, a.rank - b.rank AS moved,
  a.points AS points, b.points AS points_vs,
  a.decided_by AS decided_by, b.decided_by AS decided_by_vs,
  a.advanced AS advanced, b.advanced AS advanced_vs,
  a.projected_hands AS projected_hands, b.projected_hands AS projected_hands_vs,
  a.undefined_hands AS undefined_hands, b.undefined_hands AS undefined_hands_vs
FROM standings AS a
JOIN standings AS b ON b.scenario = a.scenario AND b.match_id = a.match_id AND b.player IS NOT DISTINCT FROM a.player
WHERE a.scenario = $scenario AND a.rule_set = $rule_set AND b.rule_set = $vs
  AND ($match::VARCHAR IS NULL OR a.match_id = $match)
ORDER BY a.match_id, a.place
