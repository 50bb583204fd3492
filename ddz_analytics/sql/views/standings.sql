-- grain: one row per scenario, rule set, match and player
-- Who stands where in a match. Equal totals: registration first, then the players of a tied group that shared their last hand
-- fill their places anew by what they won in it (jj J45-J48; by side where the rule set says so); swiss: registration alone (J49).
-- The last hand of a player is the last that has a score. `ddz_advance` says how many go on.
WITH match_hands AS (
  SELECT
    hand_id, match_id, event,
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
),
events AS (SELECT match_id, arg_max(event, hand_place) AS event FROM match_hands GROUP BY match_id),
registrations AS (
  SELECT match_id, player, CASE WHEN min(registered) = max(registered) THEN min(registered) END AS registered
  FROM hand_seats WHERE match_id IS NOT NULL GROUP BY match_id, player
),
totals AS (
  SELECT
    s.scenario, s.rule_set, s.match_id, s.player,
    coalesce(sum(s.score), 0)::DECIMAL(38, 4) AS points,
    count(s.score) AS hands,
    count(*) FILTER (s.score_status = 'projected') AS projected_hands,
    count(*) FILTER (s.score_status = 'undefined') AS undefined_hands,
    -- a name that sits on two seats of it: the later one
    arg_max(s.hand_id, m.hand_place) FILTER (s.score IS NOT NULL) AS last_hand_id,
    arg_max(s.score, 3 * m.hand_place + s.seat) AS last_score,
    arg_max(coalesce(s.won, false)::INTEGER, 3 * m.hand_place + s.seat) FILTER (s.score IS NOT NULL) AS last_won
  FROM scores AS s
  JOIN match_hands AS m ON m.hand_id = s.hand_id
  WHERE s.player IS NOT NULL -- who is not named stands nowhere
  GROUP BY s.scenario, s.rule_set, s.match_id, s.player
),
registered AS (
  SELECT t.*, r.registered, coalesce(e.event, k.event, 'regular') AS event,
    CASE
      WHEN coalesce(e.event, k.event) = 'swiss' THEN NULL
      WHEN k.relation = 'last_hand_side' THEN t.last_won
      ELSE t.last_score
    END::DECIMAL(18, 4) AS last_key,
    dense_rank() OVER (by_match ORDER BY t.points DESC) AS tie_group,
    row_number() OVER (by_match ORDER BY t.points DESC, r.registered NULLS LAST, t.player) AS registered_place
  FROM totals AS t
  JOIN registrations AS r ON r.match_id = t.match_id AND r.player = t.player
  JOIN events AS e ON e.match_id = t.match_id
  LEFT JOIN (SELECT rule_set, parameters ->> 'standing.event' AS event, parameters ->> 'standing.tie_break_relation' AS relation FROM rule_sets)
    AS k ON k.rule_set = t.rule_set
  WINDOW by_match AS (PARTITION BY t.scenario, t.rule_set, t.match_id)
),
turns AS (
  SELECT *, struct_pack(points := points, last_hand := last_hand_id, last_key := last_key, registered := registered) AS standing,
    row_number() OVER (
      PARTITION BY scenario, rule_set, match_id, tie_group, last_hand_id ORDER BY last_key DESC, registered_place
    ) AS turn
  FROM registered
),
placed AS (
  SELECT *, nth_value(registered_place, turn) OVER (
    PARTITION BY scenario, rule_set, match_id, tie_group, last_hand_id ORDER BY registered_place
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
  ) AS place
  FROM turns
),
-- with how many players of the tied group, before and after, nothing decides
unsure AS (
  SELECT scenario, rule_set, match_id, a.place,
    count(*) FILTER (b.place < a.place) AS before, count(*) FILTER (b.place > a.place) AS after
  FROM placed AS a JOIN placed AS b USING (scenario, rule_set, match_id, tie_group)
  WHERE b.place <> a.place AND decided_between(a.standing, b.standing) = 'undecided'
  GROUP BY scenario, rule_set, match_id, a.place
),
-- the best and the last place that a player may have
ranked AS (
  SELECT *, place - coalesce(before, 0) AS rank, place + coalesce(after, 0) AS last_place,
    decided_between(lag(standing) OVER places, standing) AS from_above,
    decided_between(standing, lead(standing) OVER places) AS from_below
  FROM placed LEFT JOIN unsure USING (scenario, rule_set, match_id, place)
  WINDOW places AS (PARTITION BY scenario, rule_set, match_id ORDER BY place)
)
SELECT
  scenario, rule_set, match_id, player,
  try_cast(points AS DECIMAL(18, 4)) AS points,
  rank, tie_group,
  CASE WHEN from_above <> 'points' THEN from_above ELSE coalesce(from_below, 'points') END AS decided_by,
  CASE
    WHEN last_place <= getvariable('ddz_advance')::BIGINT THEN true
    WHEN rank > getvariable('ddz_advance')::BIGINT THEN false
  END AS advanced,
  place, last_place, event, hands, projected_hands, undefined_hands, registered, last_hand_id, last_score, last_key
FROM ranked
