-- grain: one row per hand
-- A spring: the landlord went out and neither peasant played a card; an anti-spring: a peasant went out and the landlord
-- played exactly once (qq Q20, jj J36-J37), or what is stated of it. Where a count of plays that decides it is missing, `spring` is NULL.
SELECT
  hand_id,
  replay_status,
  CASE WHEN winner_seat = landlord_seat THEN 'landlord' WHEN winner_seat <> landlord_seat THEN 'peasants' ELSE winner_side END AS winner_side,
  winner_seat::BIGINT AS winner_seat,
  auction_kind, auction_forced, bid, raises, robs, open_multiplier,
  bombs, rockets, soft_bombs, hard_bombs, pure_bombs,
  CASE
    WHEN spring IS NOT NULL THEN spring
    WHEN coalesce(winner_seat = landlord_seat, winner_side = 'landlord') IS NULL THEN 'none'
    WHEN coalesce(winner_seat = landlord_seat, winner_side = 'landlord')
      THEN CASE WHEN down_plays > 0 OR up_plays > 0 THEN 'none' WHEN down_plays + up_plays = 0 THEN 'spring' END
    ELSE CASE WHEN landlord_plays = 1 THEN 'anti_spring' WHEN landlord_plays IS NOT NULL THEN 'none' END
  END AS spring,
  landlord_plays,
  needs_wild,
  escaped_seat::BIGINT AS escaped_seat,
  escape_stage
FROM stored.facts
