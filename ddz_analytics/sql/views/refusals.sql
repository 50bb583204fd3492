-- grain: one row per scenario, rule set, hand, seat and what was refused
-- `balance` is the one that fell short: the seat's own, the landlord's, or the smallest at the table. A refused double would
-- have changed the stake unless a cap over the whole pair might have cut it again, which only another scoring could tell.
WITH refused AS (
  SELECT scenario, rule_set, hand_id, unnest([0, 1, 2]::BIGINT[]) AS place,
    unnest([double_refused_landlord, double_refused_down, double_refused_up]) AS reason,
    unnest([greatest(stake_down, stake_up), stake_down, stake_up]) AS stake
  FROM stored.settlements
  WHERE coalesce(double_refused_landlord, double_refused_down, double_refused_up) IS NOT NULL
)
SELECT
  r.scenario, r.rule_set, r.hand_id,
  seat_of(r.place, f.landlord_seat) AS seat,
  'double' AS what,
  r.reason,
  f.room_double_threshold AS threshold,
  CASE r.reason
    WHEN 'own' THEN CASE r.place WHEN 0 THEN f.landlord_balance WHEN 1 THEN f.down_balance ELSE f.up_balance END
    WHEN 'landlord' THEN f.landlord_balance
    ELSE least(f.landlord_balance, f.down_balance, f.up_balance)
  END AS balance,
  CASE WHEN (s.parameters ->> 'cap.after_pairs')::BOOLEAN THEN NULL ELSE r.stake <> 0 END AS would_change
FROM refused AS r
LEFT JOIN stored.facts AS f ON f.hand_id = r.hand_id
LEFT JOIN rule_sets AS s ON s.rule_set = r.rule_set
WHERE r.reason IS NOT NULL
