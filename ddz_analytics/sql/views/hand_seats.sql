-- grain: one row per hand and seat
-- The facts of a hand are kept by role; `at_seat` gives each seat its own.
SELECT
  h.hand_id, h.table_id, h.match_id, h.event, h.source_format, h.recorded_rules,
  h.room_unit, h.room_low, h.room_high, h.room_rate, h.room_fee, h.room_double_threshold,
  h.started_at,
  local_time_of(h.started_at) AS local_time,
  local_time_of(h.started_at)::DATE AS local_day,
  h.landlord_seat::BIGINT AS landlord_seat,
  s.seat,
  CASE s.seat WHEN 0 THEN h.player_0 WHEN 1 THEN h.player_1 ELSE h.player_2 END AS player,
  CASE s.seat WHEN 0 THEN h.kind_0 WHEN 1 THEN h.kind_1 ELSE h.kind_2 END AS kind,
  role_of(s.seat, h.landlord_seat) AS role,
  (s.seat = h.landlord_seat) = coalesce(f.winner_seat = h.landlord_seat, f.winner_side = 'landlord') AS won,
  cards_text(CASE s.seat WHEN 0 THEN h.dealt_0 WHEN 1 THEN h.dealt_1 ELSE h.dealt_2 END
    | CASE WHEN s.seat = h.landlord_seat AND h.suited AND h.extra LIKE '%"_bottom":"unknown"%' THEN h.bottom ELSE 0 END) AS dealt,
  CASE s.seat WHEN 0 THEN h.dealt_0 WHEN 1 THEN h.dealt_1 ELSE h.dealt_2 END
    | CASE WHEN s.seat = h.landlord_seat AND h.suited AND h.extra LIKE '%"_bottom":"unknown"%' THEN h.bottom ELSE 0 END AS dealt_mask,
  CASE s.seat WHEN 0 THEN h.balance_0 WHEN 1 THEN h.balance_1 ELSE h.balance_2 END AS balance_before,
  h.balance_kind,
  CASE s.seat WHEN 0 THEN h.registered_0 WHEN 1 THEN h.registered_1 ELSE h.registered_2 END AS registered,
  at_seat(f.landlord_auction_turn, f.down_auction_turn, f.up_auction_turn, s.seat, h.landlord_seat) AS auction_turn,
  CASE s.seat WHEN 0 THEN h.recorded_score_0 WHEN 1 THEN h.recorded_score_1 ELSE h.recorded_score_2 END AS recorded_score,
  CASE s.seat WHEN 0 THEN h.recorded_fee_0 WHEN 1 THEN h.recorded_fee_1 ELSE h.recorded_fee_2 END AS recorded_fee,
  CASE s.seat
    WHEN 0 THEN h.recorded_balance_after_0 WHEN 1 THEN h.recorded_balance_after_1 ELSE h.recorded_balance_after_2
  END AS recorded_balance_after,
  at_seat(f.landlord_plays, f.down_plays, f.up_plays, s.seat, h.landlord_seat) AS plays,
  at_seat(f.landlord_bombs, f.down_bombs, f.up_bombs, s.seat, h.landlord_seat) AS bombs,
  at_seat(f.landlord_cards_left, f.down_cards_left, f.up_cards_left, s.seat, h.landlord_seat) AS cards_left,
  at_seat(f.landlord_autoplay, f.down_autoplay, f.up_autoplay, s.seat, h.landlord_seat) AS autoplay_at_end,
  at_seat(f.landlord_autoplay_cards, f.down_autoplay_cards, f.up_autoplay_cards, s.seat, h.landlord_seat)
    AS autoplay_started_with,
  at_seat(f.landlord_autoplay_ever, f.down_autoplay_ever, f.up_autoplay_ever, s.seat, h.landlord_seat) AS autoplay_ever,
  at_seat(f.landlord_doubled, f.down_doubled, f.up_doubled, s.seat, h.landlord_seat) AS doubled,
  at_seat(f.landlord_kicked, f.down_kicked, f.up_kicked, s.seat, h.landlord_seat) AS kicked,
  at_seat(f.landlord_open_stage, f.down_open_stage, f.up_open_stage, s.seat, h.landlord_seat) IS NOT NULL AS opened,
  at_seat(f.landlord_bid, f.down_bid, f.up_bid, s.seat, h.landlord_seat) AS bid,
  at_seat(f.landlord_robbed, f.down_robbed, f.up_robbed, s.seat, h.landlord_seat) AS robbed,
  at_seat(f.landlord_could_bid, f.down_could_bid, f.up_could_bid, s.seat, h.landlord_seat) AS could_bid,
  at_seat(f.landlord_could_rob, f.down_could_rob, f.up_could_rob, s.seat, h.landlord_seat) AS could_rob,
  at_seat(f.landlord_could_double, f.down_could_double, f.up_could_double, s.seat, h.landlord_seat) AS could_double,
  at_seat(f.landlord_could_kick, f.down_could_kick, f.up_could_kick, s.seat, h.landlord_seat) AS could_kick
FROM stored.hands AS h
CROSS JOIN (SELECT unnest([0, 1, 2]::BIGINT[]) AS seat) AS s
LEFT JOIN stored.facts AS f ON f.hand_id = h.hand_id
