-- grain: one row per scenario, rule set, hand and seat
-- transfer + liability + balance_cut + fee + rake + fine = score, all as the seat sees them. A fee that the rule set keeps out of
-- the score is paid beside it.
SELECT
  s.scenario, s.rule_set, h.hand_id, h.table_id, h.match_id, h.event, h.source_format, h.recorded_rules,
  h.room_unit, h.room_low, h.room_high, h.room_rate, h.room_fee, h.room_double_threshold,
  h.started_at, h.local_time, h.local_day,
  h.seat, h.player, h.role, h.won,
  at_seat(s.liable_landlord, s.liable_down, s.liable_up, h.seat, h.landlord_seat) AS liable,
  at_seat(s.transfer_landlord, s.transfer_down, s.transfer_up, h.seat, h.landlord_seat) AS transfer,
  at_seat(s.liability_landlord, s.liability_down, s.liability_up, h.seat, h.landlord_seat) AS liability,
  at_seat(s.balance_cut_landlord, s.balance_cut_down, s.balance_cut_up, h.seat, h.landlord_seat) AS balance_cut,
  at_seat(s.fee_landlord, s.fee_down, s.fee_up, h.seat, h.landlord_seat) AS fee,
  at_seat(s.rake_landlord, s.rake_down, s.rake_up, h.seat, h.landlord_seat) AS rake,
  at_seat(s.fine_landlord, s.fine_down, s.fine_up, h.seat, h.landlord_seat) AS fine,
  at_seat(s.net_landlord, s.net_down, s.net_up, h.seat, h.landlord_seat) AS score,
  at_seat(s.fee_apart_landlord, s.fee_apart_down, s.fee_apart_up, h.seat, h.landlord_seat) AS fee_apart,
  at_seat(s.balance_landlord, s.balance_down, s.balance_up, h.seat, h.landlord_seat) AS balance_before,
  balance_left(
    at_seat(s.balance_landlord, s.balance_down, s.balance_up, h.seat, h.landlord_seat),
    at_seat(s.net_landlord, s.net_down, s.net_up, h.seat, h.landlord_seat),
    at_seat(s.fee_apart_landlord, s.fee_apart_down, s.fee_apart_up, h.seat, h.landlord_seat)
  ) AS balance_after,
  s.score_status
FROM stored.settlements AS s
JOIN hand_seats AS h ON h.hand_id = s.hand_id
