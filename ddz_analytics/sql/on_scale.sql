-- grain: one row per hand of a format that counts on a scale of its own (`scales.toml`), and seat
-- `amount` is what the scale gives for the hand as it was played, NULL where it breaks a rule or nobody went out; the two peasants
-- share the mean of their plays. Chains of quads, which only the formats' dialects know, break no rule here.
WITH played AS (
  SELECT p.hand_id, p.seat, sum(c.points) AS points
  FROM stored.plays AS p
  JOIN stored.hands AS h ON h.hand_id = p.hand_id
  JOIN stored.scales AS s ON s.source_format = h.source_format
  LEFT JOIN stored.issues AS i ON i.hand_id = p.hand_id AND i.action_index = p.action_index AND i.code = 'combination_unsupported'
  JOIN stored.scale_points AS c ON c.scale = s.scale
    AND c.category = CASE WHEN i.code IS NULL THEN category_text(p.category) ELSE 'space_shuttle' END
  GROUP BY p.hand_id, p.seat
),
chained AS (
  SELECT hand_id FROM stored.issues WHERE severity = 'error' GROUP BY hand_id HAVING bool_and(code = 'combination_unsupported')
),
seats AS (
  SELECT h.hand_id, h.landlord_seat, s.*, n.seat, coalesce(p.points, 0) AS points,
    (n.seat = h.landlord_seat) AS is_landlord,
    CASE WHEN f.replay_status = 'ok' OR d.hand_id IS NOT NULL
      THEN (n.seat = h.landlord_seat) = (f.winner_seat = h.landlord_seat) END AS won
  FROM stored.hands AS h
  JOIN stored.scales AS s ON s.source_format = h.source_format
  CROSS JOIN (SELECT unnest([0, 1, 2]::BIGINT[]) AS seat) AS n
  LEFT JOIN stored.facts AS f ON f.hand_id = h.hand_id
  LEFT JOIN chained AS d ON d.hand_id = h.hand_id
  LEFT JOIN played AS p ON p.hand_id = h.hand_id AND p.seat = n.seat
)
SELECT
  hand_id, seat, scale, fault, others,
  (
    CASE WHEN won THEN winner WHEN NOT won THEN loser END
    + CASE WHEN is_landlord THEN points ELSE
      (sum(points) FILTER (NOT is_landlord) OVER (PARTITION BY hand_id) * 0.5)::DECIMAL(18, 4)
    END
  )::DECIMAL(18, 4) AS amount
FROM seats
