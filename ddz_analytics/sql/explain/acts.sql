-- grain: one row per act of the hand in question, a play with its reading
SELECT
  a.action_index, a.seat, a.act, a.value, a.cards, a.stage, a.dealt_so_far, a.actor, p.category, p.length, p.main_rank,
  coalesce(p.is_lead, false) AS is_lead, p.cards_left_after
FROM actions AS a
LEFT JOIN plays AS p ON p.hand_id = a.hand_id AND p.action_index = a.action_index
WHERE a.hand_id = $hand
ORDER BY a.action_index
