-- grain: one row per player: points in 1/10,000 accumulated over all hands, a point being what `unit` is worth; no fee, no rake
-- Where a point is worth nothing the amounts do not tell points: such a hand counts as undefined.
SELECT
  s.player,
  coalesce(sum(
    ((s.transfer + s.liability + s.balance_cut + s.fine)::DECIMAL(38, 4) * 10000)::HUGEINT * 10000
    // nullif((coalesce(h.unit, 1)::DECIMAL(38, 4) * 10000)::HUGEINT, 0)
  ), 0)::VARCHAR AS points,
  count(s.score) FILTER (h.unit IS DISTINCT FROM 0) AS hands,
  count(*) FILTER (s.score_status = 'projected' AND h.unit IS DISTINCT FROM 0) AS projected_hands,
  count(*) FILTER (s.score_status = 'undefined' OR h.unit = 0) AS undefined_hands
FROM scores AS s
JOIN settlements AS h ON h.scenario = s.scenario AND h.rule_set = s.rule_set AND h.hand_id = s.hand_id
WHERE s.scenario = $scenario AND s.rule_set = $rule_set AND s.player IS NOT NULL
GROUP BY s.player
ORDER BY s.player
