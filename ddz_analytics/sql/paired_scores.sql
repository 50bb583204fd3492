-- grain: one row per scenario, other rule set, hand and seat that is scored, and not undefined, under the baseline and the other
-- `stake` is what the baseline plays for before events; where it has none (a deal thrown in), the other rule set's.
SELECT
  o.scenario, o.rule_set, h.hand_id,
  seat_of(p.place, h.landlord_seat) AS seat,
  role_of(seat_of(p.place, h.landlord_seat), h.landlord_seat) AS role,
  CASE p.place WHEN 0 THEN b.net_landlord WHEN 1 THEN b.net_down ELSE b.net_up END AS baseline_score,
  CASE p.place WHEN 0 THEN o.net_landlord WHEN 1 THEN o.net_down ELSE o.net_up END AS other_score,
  (CASE p.place
    WHEN 0 THEN o.net_landlord - b.net_landlord WHEN 1 THEN o.net_down - b.net_down ELSE o.net_up - b.net_up
  END)::DECIMAL(38, 4) AS difference,
  coalesce(
    nullif((b.unit * b.bid)::DECIMAL(38, 4) * b.auction_multiplier, 0),
    (o.unit * o.bid)::DECIMAL(38, 4) * o.auction_multiplier
  )::DECIMAL(38, 4) AS stake
FROM settlements AS b
JOIN settlements AS o ON o.hand_id = b.hand_id AND o.scenario = b.scenario
JOIN hands AS h ON h.hand_id = b.hand_id
CROSS JOIN (SELECT unnest([0, 1, 2]::BIGINT[]) AS place) AS p
WHERE b.rule_set = baseline AND o.rule_set IN (SELECT unnest(others))
  AND b.score_status <> 'undefined' AND o.score_status <> 'undefined'
