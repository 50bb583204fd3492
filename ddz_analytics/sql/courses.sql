-- grain: one row per hand: the course that it took, whatever a rule set makes of it
-- `winner_side` is that of the view hand_facts. What autoplay made of a peasant is told by the log alone: `autoplay` is on it when the
-- hand ended, `partner` the other one if he was not, `came_back` was on it and came back, `peasant` any other. Without a landlord
-- `landlord`, `down`, `up` and `landlord_won` are NULL.
SELECT
  *,
  CASE WHEN landlord IS NOT NULL THEN winner_side = 'landlord' END AS landlord_won
FROM (
  SELECT
    hand_id, landlord_seat,
    CASE WHEN winner_seat = landlord_seat THEN 'landlord' WHEN winner_seat <> landlord_seat THEN 'peasants' ELSE winner_side END
      AS winner_side,
    CASE WHEN landlord_seat IS NOT NULL THEN 'landlord' END AS landlord,
    peasant_status(landlord_seat, down_autoplay, up_autoplay, down_autoplay_ever) AS down,
    peasant_status(landlord_seat, up_autoplay, down_autoplay, up_autoplay_ever) AS up,
    down_autoplay_cards AS down_began_with,
    up_autoplay_cards AS up_began_with
  FROM settle_facts
)
