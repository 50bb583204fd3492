-- grain: one row per hand and role, in the order in which the hands were played
-- What a player's balance was, and what came to it from elsewhere since the hand that he played before. Balances of coins and of
-- points are kept apart. A name that stands twice at one table is no person, nor is none, nor that of everybody forgotten: their seats
-- neither give nor take.
WITH ordered AS (
  SELECT
    hand_id, player, balance_kind, balance_before, recorded_score, recorded_balance_after,
    (seat - coalesce(landlord_seat, 0) + 3) % 3 AS place,
    CASE
      WHEN player IS NULL OR player = 'forgotten' OR count(*) OVER (PARTITION BY hand_id, player) > 1 THEN (hand_id, seat)
    END AS nobody,
    dense_rank() OVER (ORDER BY started_at NULLS FIRST, hand_id) - 1 AS moment,
    balance_before IS NOT NULL OR recorded_balance_after IS NOT NULL AS tells_balance,
    CASE WHEN tells_balance THEN coalesce(recorded_balance_after, balance_before + recorded_score) ELSE recorded_score END AS step
  FROM hand_seats
),
-- a stretch begins with a hand that tells a balance; the recorded scores of the hands after it go on from there
stretches AS (
  SELECT *, count(*) FILTER (tells_balance) OVER sitting AS stretch
  FROM ordered
  WINDOW sitting AS (PARTITION BY player, balance_kind, nobody ORDER BY moment)
),
followed AS (
  SELECT *, CASE WHEN stretch > 0 AND bool_and(step IS NOT NULL) OVER told THEN sum(step) OVER told END AS left_with
  FROM stretches
  WINDOW told AS (PARTITION BY player, balance_kind, nobody, stretch ORDER BY moment)
)
SELECT
  moment, place, hand_id, balance_before,
  coalesce(try_cast(recorded_balance_after - balance_before AS DECIMAL(18, 4)), recorded_score) AS recorded_change,
  lag(moment) OVER sitting AS earlier,
  lag(place) OVER sitting AS earlier_place,
  try_cast(balance_before - lag(left_with) OVER sitting AS DECIMAL(18, 4)) AS from_elsewhere
FROM followed
WINDOW sitting AS (PARTITION BY player, balance_kind, nobody ORDER BY moment)
ORDER BY moment, place
