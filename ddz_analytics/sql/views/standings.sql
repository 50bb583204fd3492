-- grain: one row per scenario, rule set, match and player
-- Who stands where in a match. Equal totals: registration first, then the players of a tied group that shared their last hand
-- fill their places anew by what they won in it (jj J45-J48; by side where the rule set says so); swiss: registration alone (J49).
-- The last hand of a player is the last that has a score. `ddz_advance` says how many go on.
WITH named AS MATERIALIZED (SELECT * FROM stored.match_seats),
entrants AS MATERIALIZED (
$entrants
),
seats AS MATERIALIZED (
$seats
),
settled AS (SELECT * FROM stored.settlements),
$places
