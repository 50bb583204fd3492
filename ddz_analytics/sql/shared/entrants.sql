-- grain: none; what `places.sql` reads: one row per match and player (`entrants`), who is a number, and one per hand of a match and
-- seat of such a player (`seats`)
CREATE TEMP TABLE shared.named AS
SELECT * FROM stored.match_seats;

CREATE TEMP TABLE shared.entrants AS
SELECT
  row_number() OVER ()::INTEGER AS entrant, dense_rank() OVER (ORDER BY match_id)::INTEGER AS match,
  match_id, player, any_value(event) AS event,
  CASE WHEN min(registered) = max(registered) THEN min(registered) END AS registered
FROM shared.named
GROUP BY match_id, player;

CREATE TEMP TABLE shared.seats AS
SELECT e.entrant, s.hand_id, s.place::TINYINT AS place, s.turn, s.won
FROM shared.named AS s
JOIN shared.entrants AS e ON e.match_id = s.match_id AND e.player = s.player;

DROP TABLE shared.named;
