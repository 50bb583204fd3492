-- grain: one row per log format and combination of what hands have and lack, with the number of hands
-- The marks are those of `ledger.toml`: each says of a hand what a rule set may find missing in it.
SELECT
  source_format, escape_stage, combination_switches, autoplay_rules,
  void, faulty, unfinished, escaped,
  nobody_bid,
  nobody_bid AND landlord_seat IS NULL AS nobody_is_landlord,
  nobody_bid AND first_opener_seat IS NULL AS nobody_opened,
  nobody_bid AND (first_seat = landlord_seat) IS DISTINCT FROM true AS not_the_starter,
  nobody_bid AND first_opener_seat IS NOT NULL AND (first_opener_seat = landlord_seat) IS DISTINCT FROM true AS not_the_opener,
  needs_wild,
  (landlord_balance IS NULL OR down_balance IS NULL OR up_balance IS NULL) AS no_balances,
  NOT by_score AND NOT nobody_bid AS no_bid,
  (auction_silent OR auction_kind <> 'rob') AND NOT nobody_bid AS no_robs,
  NOT by_room AS no_room_bid,
  NOT open_offered AS no_openings,
  -- the values recorded for openings during the deal whose time is not told, 0 for none
  list_sort(list_distinct([
    CASE WHEN landlord_open_stage = 'deal' AND landlord_open_dealt IS NULL THEN coalesce(landlord_open_value, 0) END,
    CASE WHEN down_open_stage = 'deal' AND down_open_dealt IS NULL THEN coalesce(down_open_value, 0) END,
    CASE WHEN up_open_stage = 'deal' AND up_open_dealt IS NULL THEN coalesce(up_open_value, 0) END
  ])) AS opened_at_some_time,
  NOT double_offered AS no_doubles,
  -- a double that nothing known refuses, and that not all that it needs allows
  coalesce(landlord_doubled > 1, false) AND (landlord_is_rich AND down_is_rich AND up_is_rich) IS NULL
    OR coalesce(down_doubled > 1, false) AND (down_is_rich AND landlord_is_rich) IS NULL
    OR coalesce(up_doubled > 1, false) AND (up_is_rich AND landlord_is_rich) IS NULL
    AS doubled_without_balances,
  NOT kick_offered AS no_kicks,
  wild_rank IS NULL AND bombs > 0 AS natural_bombs,
  NOT autoplay_recorded AS no_autoplay,
  room_unit IS NULL AS no_unit,
  room_low IS NULL AND NOT (by_room AND robs = 0) AND NOT raised AS no_low_for_a_bid,
  room_high IS NULL AND raised AS no_high_for_a_bid,
  room_high IS NULL AND by_room AND robs = 0 AS no_high_for_an_amount,
  room_rate IS NULL AS no_rate,
  room_fee IS NULL AS no_fee,
  count(*) AS hands
FROM (
  SELECT *, (by_score AND bid IS DISTINCT FROM 1) OR ((by_rob OR by_room) AND robs > 0) AS raised
  FROM (
    SELECT
      -- what declared facts do not say counts as settling takes it
      f.* REPLACE (
        coalesce(f.nobody_bid, false) AS nobody_bid, coalesce(f.auction_silent, false) AS auction_silent,
        coalesce(f.auction_kind, 'none') AS auction_kind, coalesce(f.robs, 0) AS robs, coalesce(f.bombs, 0) AS bombs,
        coalesce(f.needs_wild, false) AS needs_wild, coalesce(f.open_offered, false) AS open_offered,
        coalesce(f.double_offered, false) AS double_offered, coalesce(f.kick_offered, false) AS kick_offered,
        coalesce(f.autoplay_recorded, false) AS autoplay_recorded
      ),
      h.source_format,
      f.outcome = 'void' AS void, f.outcome = 'unfinished' AS unfinished, f.outcome = 'escaped' AS escaped,
      coalesce(f.replay_status = 'faulty', false) AS faulty,
      coalesce(f.auction_kind = 'score', false) AND f.auction_silent IS NOT TRUE AND f.nobody_bid IS NOT TRUE AS by_score,
      coalesce(f.auction_kind = 'rob', false) AND f.auction_silent IS NOT TRUE AND f.nobody_bid IS NOT TRUE AS by_rob,
      coalesce(f.auction_kind = 'room', false) AND f.auction_silent IS NOT TRUE AND f.nobody_bid IS NOT TRUE AS by_room,
      f.landlord_balance > f.room_double_threshold AS landlord_is_rich,
      f.down_balance > f.room_double_threshold AS down_is_rich,
      f.up_balance > f.room_double_threshold AS up_is_rich
    FROM stored.facts AS f
    JOIN stored.hands AS h ON h.hand_id = f.hand_id
  )
)
GROUP BY ALL
