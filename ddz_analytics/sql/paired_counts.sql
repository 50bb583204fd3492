-- grain: one row per scenario, other rule set, role, side that won, stake and pair of scores, over the seats of paired_scores
-- `number`: how many seats. What does not tell one hand from another is counted on these rows, which are few.
SELECT
  scenario, rule_set,
  CASE WHEN has_landlord THEN CASE p.place WHEN 0 THEN 'landlord' WHEN 1 THEN 'landlord_down' ELSE 'landlord_up' END END AS role,
  winner_side, stake,
  CASE p.place WHEN 0 THEN baseline_landlord WHEN 1 THEN baseline_down ELSE baseline_up END AS baseline_score,
  CASE p.place WHEN 0 THEN other_landlord WHEN 1 THEN other_down ELSE other_up END AS other_score,
  (other_score - baseline_score)::DECIMAL(38, 4) AS difference,
  sum(number)::BIGINT AS number
FROM (
  SELECT
    h.scenario, h.rule_set, h.landlord_seat IS NOT NULL AS has_landlord, f.winner_side, h.stake,
    h.baseline_landlord, h.baseline_down, h.baseline_up, h.other_landlord, h.other_down, h.other_up,
    count(*) AS number
  FROM paired_hands(baseline, others) AS h
  LEFT JOIN hand_facts AS f ON f.hand_id = h.hand_id
  GROUP BY ALL
)
CROSS JOIN (SELECT unnest([0, 1, 2]::BIGINT[]) AS place) AS p
GROUP BY ALL
