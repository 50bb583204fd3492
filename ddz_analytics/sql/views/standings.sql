-- grain: one row per scenario, rule set, match and player
-- Who stands where in a match. Equal totals: registration first, then the players of a tied group that shared their last hand
-- fill their places anew by what they won in it (jj J45-J48; by side where the rule set says so); swiss: registration alone (J49).
-- The last hand of a player is the last that has a score. `ddz_advance` says how many go on.
WITH named AS MATERIALIZED (SELECT * FROM stored.match_seats),
entrants AS MATERIALIZED (
  -- players and their matches are numbers here, by which grouping and sorting take less time than by names
  SELECT
    row_number() OVER () AS entrant, dense_rank() OVER (ORDER BY match_id) AS match,
    match_id, player, any_value(event) AS event,
    CASE WHEN min(registered) = max(registered) THEN min(registered) END AS registered
  FROM named
  GROUP BY match_id, player
),
seats AS MATERIALIZED (
  SELECT e.entrant, s.hand_id, s.place, s.turn, s.won
  FROM named AS s
  JOIN entrants AS e ON e.match_id = s.match_id AND e.player = s.player
),
settled AS (SELECT * FROM stored.settlements),
$places
