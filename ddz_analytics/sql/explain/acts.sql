-- grain: one row per act of the hands in question, a play with its reading
SELECT
  a.hand_id, a.action_index, a.seat, a.act, a.value, a.cards, a.cards_mask, a.stage, a.dealt_so_far, a.ms, a.actor, p.category,
  p.length, p.main_rank, coalesce(p.is_lead, false) AS is_lead, p.trick, p.cards_left_after
FROM actions AS a
LEFT JOIN plays AS p ON p.hand_id = a.hand_id AND p.action_index = a.action_index
WHERE a.hand_id IN (SELECT unnest($hands))
ORDER BY a.hand_id, a.action_index
