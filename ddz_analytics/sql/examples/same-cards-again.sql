-- grain: one row per deal that was played more than once
-- en: Where the same cards were dealt again, did the same side win?
-- zh: 同一副牌重打时，胜方是否相同？
SELECT h.deal_id, count(*) AS hands, count(*) FILTER (f.winner_side = 'landlord') AS landlord_won,
  count(DISTINCT h.landlord_seat) AS different_landlords
FROM hands AS h
JOIN hand_facts AS f USING (hand_id)
WHERE h.deal_id IS NOT NULL
GROUP BY h.deal_id
HAVING count(*) > 1
ORDER BY hands DESC, h.deal_id
LIMIT 50
