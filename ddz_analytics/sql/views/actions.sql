-- grain: one row per hand and action_index, its place in the log counted from 0
SELECT
  hand_id,
  action_index,
  act.seat::BIGINT AS seat,
  act_text(act.act) AS act,
  (act.value * 0.0001)::DECIMAL(18, 4) AS value,
  cards_text(act.cards) AS cards,
  act.cards AS cards_mask,
  stage_text(act.stage) AS stage,
  act.dealt::BIGINT AS dealt_so_far,
  act.declared,
  act.wilds_as,
  act.sent,
  act.ms,
  actor_text(act.actor) AS actor
FROM (
  SELECT hand_id, unnest(range(len(actions))) AS action_index, unnest(actions) AS act
  FROM stored.hands
)
