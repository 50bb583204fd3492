-- grain: one row per hand and issue_index
-- Two notes need other hands, so they are made here and not by replay. `seated_together_before`: where the rules keep players apart
-- (casino C40), two of a new sitting sat together in an earlier one; as long as the same three play on at a table it is one sitting.
-- `first_rotation`: where the rules move the first speaker on and the same three play on, the next seat begins (after a thrown-in
-- deal the same seat may begin again).
WITH sittings AS (
  SELECT
    h.hand_id, h.hand_no, f.first_seat, f.first_rotates, f.outcome,
    [h.player_0, h.player_1, h.player_2] AS players,
    lag(f.first_seat) OVER sitting AS first_before,
    lag(f.outcome) OVER sitting AS outcome_before,
    lag([h.player_0, h.player_1, h.player_2]) OVER sitting AS players_before,
    lag(h.hand_no) OVER sitting AS no_before
  FROM stored.hands AS h
  JOIN stored.facts AS f ON f.hand_id = h.hand_id
  WHERE h.table_id IS NOT NULL AND h.hand_no IS NOT NULL
  WINDOW sitting AS (PARTITION BY h.source_format, h.table_id ORDER BY h.hand_no, h.hand_id)
),
out_of_order AS (
  SELECT hand_id, first_seat, (first_before + 1) % 3 AS expected
  FROM sittings
  WHERE first_rotates AND players = players_before AND hand_no = no_before + 1
    AND first_seat <> (first_before + 1) % 3
    AND NOT (outcome_before = 'redeal' AND first_seat = first_before)
),
seated AS (
  SELECT
    h.hand_id, h.source_format, [h.player_0, h.player_1, h.player_2] AS players,
    row_number() OVER (ORDER BY h.started_at NULLS FIRST, h.hand_id) AS moment,
    CASE f.seating_scope WHEN 'match' THEN h.match_id WHEN 'day' THEN local_time_of(h.started_at)::DATE::VARCHAR ELSE '' END AS scope,
    list_sort(players) IS DISTINCT FROM lag(list_sort(players)) OVER seating AS is_new
  FROM stored.hands AS h
  JOIN stored.facts AS f ON f.hand_id = h.hand_id
  WHERE f.seating_scope IS NOT NULL AND h.table_id IS NOT NULL
  WINDOW seating AS (PARTITION BY h.source_format, h.table_id ORDER BY h.hand_no, h.started_at, h.hand_id)
),
pairs AS (
  SELECT
    s.hand_id, s.is_new, p.one, p.other,
    count(*) OVER (
      PARTITION BY s.source_format, s.scope, least(s.players[p.one + 1], s.players[p.other + 1]),
        greatest(s.players[p.one + 1], s.players[p.other + 1])
      ORDER BY s.moment
    ) AS times
  FROM seated AS s, (VALUES (0, 1), (0, 2), (1, 2)) AS p (one, other)
  WHERE s.scope IS NOT NULL
),
together AS (
  SELECT hand_id, string_agg('seats ' || one || ' and ' || other, ', ' ORDER BY one, other) AS who
  FROM pairs
  WHERE is_new AND times > 1
  GROUP BY hand_id
),
noted AS (
  SELECT hand_id, 'first_rotation' AS code, first_seat::BIGINT AS seat,
    'seat ' || first_seat || ' speaks first, it was the turn of seat ' || expected AS detail
  FROM out_of_order
  UNION ALL
  SELECT hand_id, 'seated_together_before', NULL, who || ' sat together in an earlier sitting'
  FROM together
),
numbered AS (
  SELECT hand_id, max(issue_index) + 1 AS following
  FROM stored.issues
  WHERE hand_id IN (SELECT hand_id FROM noted)
  GROUP BY hand_id
)
SELECT
  hand_id, issue_index::BIGINT AS issue_index, code, severity, action_index, seat::BIGINT AS seat, detail
FROM stored.issues
UNION ALL
SELECT
  o.hand_id,
  coalesce(n.following, 0)::BIGINT + row_number() OVER (PARTITION BY o.hand_id ORDER BY o.code) - 1,
  o.code, 'note', NULL, o.seat, o.detail
FROM noted AS o
LEFT JOIN numbered AS n ON n.hand_id = o.hand_id
