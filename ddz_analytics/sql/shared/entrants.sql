-- grain: none; what `places.sql` reads: one row per match and player (`entrants`), who is a number, and one per hand of a match and
-- seat of such a player (`seats`)
CREATE TEMP TABLE shared.named AS
SELECT * FROM stored.match_seats;

CREATE TEMP TABLE shared.entrants AS
WITH named AS (SELECT * FROM shared.named)
$entrants;

CREATE TEMP TABLE shared.seats AS
WITH named AS (SELECT * FROM shared.named),
entrants AS (SELECT * FROM shared.entrants)
$seats;

DROP TABLE shared.named;
