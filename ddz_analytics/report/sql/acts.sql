-- grain: one row per hand in question and act; a play has its category, a lead begins a trick
SELECT a.hand_id, a.action_index, a.seat, a.act, a.value, a.cards, a.actor, p.category, p.is_lead
FROM actions AS a
LEFT JOIN plays AS p ON p.hand_id = a.hand_id AND p.action_index = a.action_index
WHERE a.hand_id IN (SELECT unnest($hands))
ORDER BY a.hand_id, a.action_index
