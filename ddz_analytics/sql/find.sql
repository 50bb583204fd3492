-- grain: one row per hand with such a player, table and day
SELECT
  h.hand_id, h.table_id, h.source_hand_id, h.local_time, h.source_format, h.recorded_rules,
  string_agg(coalesce(s.player, '?'), ', ' ORDER BY s.seat) AS players,
  any_value(s.player) FILTER (s.role = 'landlord') AS landlord,
  f.winner_side, f.replay_status, h.source_path, h.source_line
FROM hands AS h
JOIN hand_seats AS s ON s.hand_id = h.hand_id
LEFT JOIN hand_facts AS f ON f.hand_id = h.hand_id
WHERE ($table::VARCHAR IS NULL OR h.table_id = $table)
  AND ($player::VARCHAR IS NULL OR h.hand_id IN (SELECT hand_id FROM hand_seats WHERE player = $player))
  AND ($from::DATE IS NULL OR h.local_day >= $from::DATE) AND ($to::DATE IS NULL OR h.local_day <= $to::DATE)
GROUP BY ALL
ORDER BY h.hand_id
