-- grain: one row per hand and issue_index
-- The note `first_rotation` needs the hand before at the same table, so it is made here and not by replay: where the rules move the
-- first speaker on and the same three play on, the next seat begins (after a thrown-in deal the same seat may begin again).
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
numbered AS (
  SELECT hand_id, max(issue_index) + 1 AS following
  FROM stored.issues
  WHERE hand_id IN (SELECT hand_id FROM out_of_order)
  GROUP BY hand_id
)
SELECT
  hand_id, issue_index::BIGINT AS issue_index, code, severity, action_index, seat::BIGINT AS seat, detail
FROM stored.issues
UNION ALL
SELECT
  o.hand_id, coalesce(n.following, 0)::BIGINT, 'first_rotation', 'note', NULL, o.first_seat::BIGINT,
  'seat ' || o.first_seat || ' speaks first, it was the turn of seat ' || o.expected
FROM out_of_order AS o
LEFT JOIN numbered AS n ON n.hand_id = o.hand_id
