-- grain: one row per scenario, other rule set, role, side that won, stake and pair of scores, over the seats of paired_scores
-- `number`: how many seats. What does not tell one hand from another is counted on these rows, which are few.
SELECT
  scenario, rule_set,
  CASE WHEN has_landlord THEN CASE p.place WHEN 0 THEN 'landlord' WHEN 1 THEN 'landlord_down' ELSE 'landlord_up' END END AS role,
  winner_side, stake,
  CASE p.place WHEN 0 THEN b_landlord WHEN 1 THEN b_down ELSE b_up END AS baseline_score,
  CASE p.place WHEN 0 THEN o_landlord WHEN 1 THEN o_down ELSE o_up END AS other_score,
  (CASE p.place WHEN 0 THEN o_landlord - b_landlord WHEN 1 THEN o_down - b_down ELSE o_up - b_up END)::DECIMAL(38, 4) AS difference,
  sum(number)::BIGINT AS number
FROM (
  SELECT
    o.scenario, o.rule_set, h.landlord_seat IS NOT NULL AS has_landlord, f.winner_side,
    coalesce(
      nullif((b.unit * b.bid)::DECIMAL(38, 4) * b.auction_multiplier, 0),
      (o.unit * o.bid)::DECIMAL(38, 4) * o.auction_multiplier
    )::DECIMAL(38, 4) AS stake,
    b.net_landlord AS b_landlord, b.net_down AS b_down, b.net_up AS b_up,
    o.net_landlord AS o_landlord, o.net_down AS o_down, o.net_up AS o_up,
    count(*) AS number
  FROM settlements AS o
  JOIN settlements AS b ON b.hand_id = o.hand_id AND b.scenario = o.scenario
  JOIN hands AS h ON h.hand_id = b.hand_id
  LEFT JOIN hand_facts AS f ON f.hand_id = b.hand_id
  WHERE b.rule_set = baseline AND o.rule_set IN (SELECT unnest(others))
    AND b.score_status <> 'undefined' AND o.score_status <> 'undefined'
  GROUP BY ALL
)
CROSS JOIN (SELECT unnest([0, 1, 2]::BIGINT[]) AS place) AS p
GROUP BY ALL
