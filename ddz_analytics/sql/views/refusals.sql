-- grain: one row per scenario, rule set, hand, seat and what was refused
-- `balance` is the one that fell short: the seat's own, the landlord's, or the smallest at the table. Who would not have been let
-- in played all the same, so that nothing would have changed by rule.
WITH seats AS (
  SELECT scenario, rule_set, hand_id, unnest([0, 1, 2]::BIGINT[]) AS place,
    unnest([double_refused_landlord, double_refused_down, double_refused_up]) AS refused,
    unnest([double_change_landlord, double_change_down, double_change_up]) AS would_change,
    unnest([balance_landlord, balance_down, balance_up]) AS own,
    balance_landlord AS landlord,
    least(balance_landlord, balance_down, balance_up) AS smallest
  FROM stored.settlements
  WHERE coalesce(double_refused_landlord, double_refused_down, double_refused_up) IS NOT NULL
),
entering AS (
  SELECT rule_set, (parameters ->> 'entry.factor')::BIGINT AS factor, (parameters ->> 'entry.strict')::BOOLEAN AS strict
  FROM rule_sets
  WHERE (parameters ->> 'entry.factor')::BIGINT > 0
),
entered AS (
  SELECT s.scenario, s.rule_set, s.hand_id, e.strict, f.landlord_seat,
    e.factor * f.room_high::DECIMAL(38, 4) AS threshold,
    unnest([0, 1, 2]::BIGINT[]) AS place,
    unnest([s.balance_landlord, s.balance_down, s.balance_up]) AS balance
  FROM stored.settlements AS s
  JOIN entering AS e ON e.rule_set = s.rule_set
  JOIN stored.facts AS f ON f.hand_id = s.hand_id
)
SELECT
  r.scenario, r.rule_set, r.hand_id,
  seat_of(r.place, f.landlord_seat) AS seat,
  'double' AS what,
  r.refused AS reason,
  f.room_double_threshold AS threshold,
  CASE r.refused WHEN 'own' THEN r.own WHEN 'landlord' THEN r.landlord ELSE r.smallest END AS balance,
  r.would_change
FROM seats AS r
JOIN stored.facts AS f ON f.hand_id = r.hand_id
WHERE r.refused IS NOT NULL
UNION ALL
SELECT
  scenario, rule_set, hand_id, seat_of(place, landlord_seat), 'entry', 'own',
  try_cast(threshold AS DECIMAL(18, 4)), -- beyond fourteen digits it cannot be written, and is missed all the same
  balance, NULL
FROM entered
WHERE balance < threshold OR (strict AND balance = threshold)
