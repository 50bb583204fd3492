-- grain: one row per scenario, rule set, hand and seat
-- transfer + liability + balance_cut + fee + rake + fine = score, all as the seat sees them. A fee that the rule set keeps out of
-- the score is paid beside it. Roles are told from their places, which are narrower than their names to join.
SELECT
  s.scenario, s.rule_set, h.hand_id, h.table_id, h.match_id, h.event, h.source_format, h.recorded_rules,
  h.room_unit, h.room_low, h.room_high, h.room_rate, h.room_fee, h.room_double_threshold,
  h.started_at, h.local_time, h.local_day,
  h.seat, h.player, role_at(h.role_place, h.landlord_seat) AS role, h.won,
  at_place(s.liable_landlord, s.liable_down, s.liable_up, h.role_place) AS liable,
  at_place(s.transfer_landlord, s.transfer_down, s.transfer_up, h.role_place) AS transfer,
  at_place(s.liability_landlord, s.liability_down, s.liability_up, h.role_place) AS liability,
  at_place(s.balance_cut_landlord, s.balance_cut_down, s.balance_cut_up, h.role_place) AS balance_cut,
  at_place(s.fee_landlord, s.fee_down, s.fee_up, h.role_place) AS fee,
  at_place(s.rake_landlord, s.rake_down, s.rake_up, h.role_place) AS rake,
  at_place(s.fine_landlord, s.fine_down, s.fine_up, h.role_place) AS fine,
  at_place(s.net_landlord, s.net_down, s.net_up, h.role_place) AS score,
  at_place(s.fee_apart_landlord, s.fee_apart_down, s.fee_apart_up, h.role_place) AS fee_apart,
  at_place(s.balance_landlord, s.balance_down, s.balance_up, h.role_place) AS balance_before,
  balance_left(
    at_place(s.balance_landlord, s.balance_down, s.balance_up, h.role_place),
    at_place(s.net_landlord, s.net_down, s.net_up, h.role_place),
    at_place(s.fee_apart_landlord, s.fee_apart_down, s.fee_apart_up, h.role_place)
  ) AS balance_after,
  s.score_status
FROM stored.settlements AS s
JOIN hand_seats AS h ON h.hand_id = s.hand_id
