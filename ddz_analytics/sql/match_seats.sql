-- grain: one row per hand of a match and seat with a name (who has none stands nowhere)
-- `turn` puts the seats of a match in order, `place` is the role's: landlord 0, down 1, up 2. `event` is that of the last hand of the
-- match that names one.
WITH placed AS (
  SELECT
    hand_id, match_id, event, landlord_seat, player_0, player_1, player_2, registered_0, registered_1, registered_2,
    -- by time where every hand of the match has one, else by number at a single table, else as in the log
    row_number() OVER (
      PARTITION BY match_id
      ORDER BY CASE WHEN timed THEN started_at END, CASE WHEN timed OR numbered THEN hand_no END, hand_id
    ) AS hand_place
  FROM (
    SELECT *,
      bool_and(started_at IS NOT NULL) OVER matches AS timed,
      bool_and(hand_no IS NOT NULL) OVER matches
        AND min(coalesce(table_id, '')) OVER matches = max(coalesce(table_id, '')) OVER matches AS numbered
    FROM stored.hands
    WHERE match_id IS NOT NULL
    WINDOW matches AS (PARTITION BY match_id)
  )
)
SELECT
  n.match_id, m.event, n.hand_id, n.player, n.registered,
  (n.seat - coalesce(n.landlord_seat, 0) + 3) % 3 AS place,
  3 * n.hand_place + n.seat AS turn,
  coalesce((n.seat = n.landlord_seat) = coalesce(f.winner_seat = n.landlord_seat, f.winner_side = 'landlord'), false)::INTEGER AS won
FROM (
  SELECT *,
    unnest([0, 1, 2]::BIGINT[]) AS seat,
    unnest([player_0, player_1, player_2]) AS player,
    unnest([registered_0, registered_1, registered_2]) AS registered
  FROM placed
) AS n
JOIN (SELECT match_id, arg_max(event, hand_place) AS event FROM placed GROUP BY match_id) AS m ON m.match_id = n.match_id
LEFT JOIN stored.facts AS f ON f.hand_id = n.hand_id
WHERE n.player IS NOT NULL
