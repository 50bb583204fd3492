-- grain: none; what puts players of matches in order, from the scores `settled`, the players of matches `entrants` and their `seats`
totals AS (
  SELECT
    scenario, rule_set, entrant,
    coalesce(sum(score), 0)::DECIMAL(38, 4) AS points,
    count(score) AS hands,
    count(*) FILTER (score_status = 'projected') AS projected_hands,
    count(*) FILTER (score_status = 'undefined') AS undefined_hands,
    -- a name that sits on two seats of it: the later one
    max(turn) FILTER (score IS NOT NULL) AS last_turn,
    arg_max(score, turn) AS last_score
  FROM (
    SELECT s.scenario, s.rule_set, t.entrant, t.turn, s.score_status,
      CASE t.place WHEN 0 THEN s.net_landlord WHEN 1 THEN s.net_down ELSE s.net_up END AS score
    FROM settled AS s
    JOIN seats AS t ON t.hand_id = s.hand_id
  )
  GROUP BY scenario, rule_set, entrant
),
registered AS MATERIALIZED (
  SELECT
    t.*, e.match, e.registered, l.hand_id AS last_hand_id, coalesce(e.event, k.event, 'regular') AS event,
    CASE
      WHEN coalesce(e.event, k.event) = 'swiss' THEN NULL
      WHEN k.relation = 'last_hand_side' THEN l.won
      ELSE t.last_score
    END::DECIMAL(18, 4) AS last_key,
    dense_rank() OVER (by_match ORDER BY t.points DESC) AS tie_group,
    row_number() OVER in_order AS registered_place,
    t.points IN (lag(t.points) OVER in_order, lead(t.points) OVER in_order) AS tied
  FROM totals AS t
  JOIN entrants AS e ON e.entrant = t.entrant
  LEFT JOIN seats AS l ON l.entrant = t.entrant AND l.turn = t.last_turn
  LEFT JOIN (SELECT rule_set, parameters ->> 'standing.event' AS event, parameters ->> 'standing.tie_break_relation' AS relation FROM rule_sets)
    AS k ON k.rule_set = t.rule_set
  WINDOW
    by_match AS (PARTITION BY t.scenario, t.rule_set, e.match),
    in_order AS (PARTITION BY t.scenario, t.rule_set, e.match ORDER BY t.points DESC, e.registered NULLS LAST, e.player)
),
placed AS MATERIALIZED (
  SELECT *,
    struct_pack(points := points, last_hand := last_hand_id, last_key := last_key, registered := registered) AS standing,
    nth_value(registered_place, turn) OVER (
      PARTITION BY scenario, rule_set, match, tie_group, last_hand_id ORDER BY registered_place
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS place
  FROM (
    SELECT *, row_number() OVER (
      PARTITION BY scenario, rule_set, match, tie_group, last_hand_id ORDER BY last_key DESC, registered_place
    ) AS turn
    FROM registered WHERE tied
  )
),
-- with how many players of the tied group, before and after, nothing decides
unsure AS (
  SELECT scenario, rule_set, a.entrant, count(*) FILTER (b.place < a.place) AS before, count(*) FILTER (b.place > a.place) AS after
  FROM placed AS a JOIN placed AS b USING (scenario, rule_set, match, tie_group)
  WHERE b.place <> a.place AND decided_between(a.standing, b.standing) = 'undecided'
  GROUP BY scenario, rule_set, a.entrant
),
-- the best and the last place that a player of a tied group may have
ranked AS (
  SELECT *, place - coalesce(before, 0) AS rank, place + coalesce(after, 0) AS last_place,
    coalesce(decided_between(lag(standing) OVER places, standing), decided_between(standing, lead(standing) OVER places)) AS decided_by
  FROM placed LEFT JOIN unsure USING (scenario, rule_set, entrant)
  WINDOW places AS (PARTITION BY scenario, rule_set, match, tie_group ORDER BY place)
)
SELECT
  scenario, rule_set, e.match_id, e.player,
  try_cast(a.points AS DECIMAL(18, 4)) AS points,
  coalesce(r.rank, a.registered_place) AS rank, a.tie_group,
  coalesce(r.decided_by, 'points') AS decided_by,
  CASE WHEN coalesce(r.last_place, a.registered_place) <= getvariable('ddz_advance')::BIGINT THEN true
    WHEN coalesce(r.rank, a.registered_place) > getvariable('ddz_advance')::BIGINT THEN false END AS advanced,
  coalesce(r.place, a.registered_place) AS place, coalesce(r.last_place, a.registered_place) AS last_place,
  a.event, a.hands, a.projected_hands, a.undefined_hands, a.registered, a.last_hand_id, a.last_score, a.last_key
FROM registered AS a
JOIN entrants AS e USING (entrant)
LEFT JOIN ranked AS r USING (scenario, rule_set, entrant)
