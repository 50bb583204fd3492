-- grain: one row per hand of the view `asked`: its names and how many actions it has, those with the fewest first
SELECT h.hand_id, h.source_hand_id, len(h.actions) AS actions
FROM stored.hands AS h
JOIN asked AS a ON a.hand_id = h.hand_id
ORDER BY actions, h.hand_id
LIMIT $count
