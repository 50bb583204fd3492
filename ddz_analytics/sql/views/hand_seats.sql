-- grain: one row per hand and seat
-- The facts of a hand are kept by role, what the log says of it by seat: a seat is told from the place of its role.
SELECT
  h.hand_id, h.table_id, h.match_id, h.event, h.source_format, h.recorded_rules,
  h.room_unit, h.room_low, h.room_high, h.room_rate, h.room_fee, h.room_double_threshold,
  h.started_at,
  local_time_of(h.started_at) AS local_time,
  local_time_of(h.started_at)::DATE AS local_day,
  h.landlord_seat::BIGINT AS landlord_seat,
  h.seat,
  at_place(h.player_0, h.player_1, h.player_2, h.seat) AS player,
  at_place(h.kind_0, h.kind_1, h.kind_2, h.seat) AS kind,
  role_at(h.role_place, h.landlord_seat) AS role,
  h.role_place,
  (h.seat = h.landlord_seat) = coalesce(f.winner_seat = h.landlord_seat, f.winner_side = 'landlord') AS won,
  cards_text(at_place(h.dealt_0, h.dealt_1, h.dealt_2, h.seat)
    | CASE WHEN h.seat = h.landlord_seat AND h.suited AND h.extra LIKE '%"_bottom":"unknown"%' THEN h.bottom ELSE 0 END) AS dealt,
  at_place(h.dealt_0, h.dealt_1, h.dealt_2, h.seat)
    | CASE WHEN h.seat = h.landlord_seat AND h.suited AND h.extra LIKE '%"_bottom":"unknown"%' THEN h.bottom ELSE 0 END AS dealt_mask,
  at_place(h.balance_0, h.balance_1, h.balance_2, h.seat) AS balance_before,
  h.balance_kind,
  at_place(h.registered_0, h.registered_1, h.registered_2, h.seat) AS registered,
  at_place(f.landlord_auction_turn, f.down_auction_turn, f.up_auction_turn, h.role_place) AS auction_turn,
  at_place(h.recorded_score_0, h.recorded_score_1, h.recorded_score_2, h.seat) AS recorded_score,
  at_place(h.recorded_fee_0, h.recorded_fee_1, h.recorded_fee_2, h.seat) AS recorded_fee,
  at_place(h.recorded_balance_after_0, h.recorded_balance_after_1, h.recorded_balance_after_2, h.seat) AS recorded_balance_after,
  at_place(f.landlord_plays, f.down_plays, f.up_plays, h.role_place) AS plays,
  at_place(f.landlord_bombs, f.down_bombs, f.up_bombs, h.role_place) AS bombs,
  at_place(f.landlord_cards_left, f.down_cards_left, f.up_cards_left, h.role_place) AS cards_left,
  at_place(f.landlord_autoplay, f.down_autoplay, f.up_autoplay, h.role_place) AS autoplay_at_end,
  at_place(f.landlord_autoplay_cards, f.down_autoplay_cards, f.up_autoplay_cards, h.role_place)
    AS autoplay_started_with,
  at_place(f.landlord_autoplay_ever, f.down_autoplay_ever, f.up_autoplay_ever, h.role_place) AS autoplay_ever,
  at_place(f.landlord_doubled, f.down_doubled, f.up_doubled, h.role_place) AS doubled,
  at_place(f.landlord_kicked, f.down_kicked, f.up_kicked, h.role_place) AS kicked,
  at_place(f.landlord_open_stage, f.down_open_stage, f.up_open_stage, h.role_place) IS NOT NULL AS opened,
  at_place(f.landlord_bid, f.down_bid, f.up_bid, h.role_place) AS bid,
  at_place(f.landlord_robbed, f.down_robbed, f.up_robbed, h.role_place) AS robbed,
  at_place(f.landlord_could_bid, f.down_could_bid, f.up_could_bid, h.role_place) AS could_bid,
  at_place(f.landlord_could_rob, f.down_could_rob, f.up_could_rob, h.role_place) AS could_rob,
  at_place(f.landlord_could_double, f.down_could_double, f.up_could_double, h.role_place) AS could_double,
  at_place(f.landlord_could_kick, f.down_could_kick, f.up_could_kick, h.role_place) AS could_kick
FROM (
  SELECT *, seat_of(role_place, landlord_seat) AS seat
  FROM stored.hands
  CROSS JOIN (SELECT unnest([0, 1, 2]::BIGINT[]) AS role_place)
) AS h
LEFT JOIN stored.facts AS f ON f.hand_id = h.hand_id
