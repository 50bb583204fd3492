-- grain: one row per scenario, other rule set, hand and seat that is scored, and not undefined, under the baseline and the other
-- `stake` is that of paired_hands.
SELECT
  scenario, rule_set, hand_id,
  seat_of(p.place, landlord_seat) AS seat,
  role_of(seat_of(p.place, landlord_seat), landlord_seat) AS role,
  CASE p.place WHEN 0 THEN baseline_landlord WHEN 1 THEN baseline_down ELSE baseline_up END AS baseline_score,
  CASE p.place WHEN 0 THEN other_landlord WHEN 1 THEN other_down ELSE other_up END AS other_score,
  (other_score - baseline_score)::DECIMAL(38, 4) AS difference,
  stake
FROM paired_hands(baseline, others)
CROSS JOIN (SELECT unnest([0, 1, 2]::BIGINT[]) AS place) AS p
