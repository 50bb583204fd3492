-- grain: one row per hand of that number or name: what settling reads of it
SELECT f.*
FROM settle_facts AS f
JOIN hands AS h ON h.hand_id = f.hand_id
WHERE h.source_hand_id = $hand OR h.hand_id::VARCHAR = $hand
ORDER BY f.hand_id
