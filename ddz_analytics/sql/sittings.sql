-- grain: one row per hand and role, in the order in which the hands were played
-- What a player's balance was, and what came to it from elsewhere since the hand that he played before. Balances of coins and of
-- points are kept apart. A name that stands twice at one table is no person, nor is that of everybody
-- forgotten: their seats neither give nor take.
WITH ordered AS (
  SELECT
    hand_id, player, balance_kind, balance_before, recorded_score, recorded_balance_after,
    (seat - coalesce(landlord_seat, 0) + 3) % 3 AS place,
    count(*) OVER (PARTITION BY hand_id, player) > 1 OR player = 'forgotten' AS stands_twice,
    dense_rank() OVER (ORDER BY started_at NULLS FIRST, hand_id) - 1 AS moment,
    coalesce(recorded_balance_after, try_cast(balance_before + recorded_score AS DECIMAL(18, 4))) AS left_with
  FROM hand_seats
)
SELECT
  moment, place, hand_id, balance_before,
  try_cast(left_with - balance_before AS DECIMAL(18, 4)) AS recorded_change,
  lag(moment) OVER sitting AS earlier,
  lag(place) OVER sitting AS earlier_place,
  try_cast(balance_before - lag(left_with) OVER sitting AS DECIMAL(18, 4)) AS from_elsewhere
FROM ordered
WINDOW sitting AS (PARTITION BY player, balance_kind, stands_twice, CASE WHEN stands_twice THEN (moment, place) END ORDER BY moment)
ORDER BY moment, place
