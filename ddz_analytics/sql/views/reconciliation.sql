-- grain: one row per hand with recorded scores, and seat
-- A cause is a matter of the whole hand and is named only where the numbers of all three seats agree with it.
-- Scores of a format that counts on a scale of its own are no points: they are checked on that scale.
WITH seats AS (
  SELECT
    h.hand_id, h.seat, h.won, h.recorded_score AS recorded,
    coalesce(h.recorded_rules, r.rule_set, c.scale) AS rule_set,
    CASE WHEN h.recorded_rules IS NULL AND c.scale IS NOT NULL THEN c.amount
      ELSE at_place(s.net_landlord, s.net_down, s.net_up, h.role_place) END AS recomputed,
    s.hand_id IS NOT NULL AS scored,
    s.reason,
    CASE WHEN h.role = 'landlord' THEN 2 ELSE 1 END * CASE WHEN h.won THEN 1 WHEN NOT h.won THEN -1 END AS share,
    h.recorded_rules IS NULL AND c.scale IS NOT NULL AS other_scale,
    h.recorded_rules IS NULL AND r.rule_set IS NULL AS rules_unknown,
    CASE WHEN h.role = 'landlord' THEN c.fault ELSE c.others END AS landlord_failed,
    CASE WHEN h.role = 'landlord' THEN c.others ELSE c.fault END AS peasant_failed
  FROM hand_seats AS h
  LEFT JOIN stored.reference_rules AS r ON r.source_format = h.source_format
  LEFT JOIN stored.on_scale AS c ON c.hand_id = h.hand_id AND c.seat = h.seat
  LEFT JOIN stored.settlements AS s ON s.hand_id = h.hand_id
    AND s.rule_set = coalesce(h.recorded_rules, r.rule_set) AND s.scenario = 'recorded'
  WHERE h.recorded_score IS NOT NULL
),
-- Bombs that did not count: plays without a legal reading, and what a seat sent where a judge replaced it.
illegal_bombs AS (
  SELECT hand_id, count(*) AS illegal
  FROM (
    SELECT hand_id, cards_text(cards) AS ranks FROM stored.plays WHERE category IS NULL
    UNION ALL
    SELECT hand_id, translate(act.sent, 'SHDC ', '')
    FROM (
      SELECT h.hand_id, unnest(h.actions) AS act -- read only where some hand differs, which a join does and `hand_id IN` does not
      FROM (SELECT DISTINCT hand_id FROM seats WHERE recorded IS DISTINCT FROM recomputed) AS d
      JOIN stored.hands AS h ON h.hand_id = d.hand_id
    )
    WHERE act.sent LIKE '% %'
  )
  WHERE ranks IN ('BR', 'RB') OR (length(ranks) = 4 AND ranks = repeat(ranks[1], 4))
  GROUP BY hand_id
),
-- What a peasant wins or loses when bombs (those too), the rocket and a spring each double the bid, which is 1 if nobody bid.
played AS (
  SELECT f.hand_id, f.spring, f.auction_forced, coalesce(i.illegal, 0) AS illegal,
    coalesce(f.bid, 1)::DECIMAL(38, 4) * (1::BIGINT << (f.bombs + f.rockets + (f.spring <> 'none')::BIGINT + coalesce(i.illegal, 0))) AS points
  FROM hand_facts AS f
  LEFT JOIN illegal_bombs AS i ON i.hand_id = f.hand_id
),
ratios AS (
  SELECT *, CASE WHEN sign(recorded) * sign(recomputed) > 0 THEN round(least(greatest(log2(recorded / recomputed), -40), 40))::INTEGER END AS steps
  FROM seats
),
agreements AS (
  SELECT
    r.hand_id,
    CASE WHEN min(r.steps) = max(r.steps) AND bool_and(
      recorded::DECIMAL(38, 4) * (1::BIGINT << greatest(-r.steps, 0)) = recomputed::DECIMAL(38, 4) * (1::BIGINT << greatest(r.steps, 0))
      OR (recorded = 0 AND recomputed = 0)
    ) THEN min(r.steps) END AS doublings,
    bool_and(r.recorded = r.share * p.points) AS as_played,
    bool_and(r.recorded = trunc(r.recorded) AND abs(r.recorded - r.recomputed) < 1) AS rounded,
    bool_and(r.recorded = -1) AS all_minus_one,
    coalesce(bool_and(r.recorded = r.recomputed), false)
      OR coalesce(bool_and(r.recomputed IS NULL AND r.recorded = r.landlord_failed), false)
      OR coalesce(bool_and(r.recomputed IS NULL AND r.recorded = r.peasant_failed), false) AS on_scale,
    any_value(p.illegal) AS illegal, any_value(p.spring) AS spring, any_value(p.auction_forced) AS auction_forced
  FROM ratios AS r
  JOIN played AS p ON p.hand_id = r.hand_id
  GROUP BY r.hand_id
),
named AS (
  SELECT
    s.hand_id, s.seat, s.rule_set, s.recorded, s.recomputed,
    CASE
      WHEN s.other_scale THEN CASE WHEN a.on_scale THEN 'other_scale' ELSE 'scale_differs' END
      WHEN s.recorded = s.recomputed THEN NULL
      WHEN s.rules_unknown THEN 'rules_unknown'
      WHEN NOT s.scored THEN 'not_scored'
      WHEN a.illegal > 0 AND a.doublings = a.illegal THEN 'illegal_play_counted'
      WHEN a.auction_forced IS NOT NULL AND a.as_played THEN 'forced_landlord'
      WHEN a.as_played AND (a.illegal > 0 OR s.reason = 'faulty') THEN 'illegal_play_counted'
      WHEN a.spring <> 'none' AND a.doublings = -1 THEN 'spring_not_recorded'
      WHEN s.recomputed IS NULL AND a.all_minus_one THEN 'all_in_error'
      WHEN a.rounded THEN 'rounding'
      WHEN s.recomputed IS NULL THEN s.reason
      WHEN a.doublings <> 0 THEN 'power_of_two'
      ELSE 'amount_differs'
    END AS cause
  FROM seats AS s
  LEFT JOIN agreements AS a ON a.hand_id = s.hand_id
)
SELECT
  hand_id, seat, rule_set, recorded, recomputed,
  CASE
    WHEN cause IS NULL AND recorded = recomputed THEN 'exact'
    WHEN cause IN ('illegal_play_counted', 'forced_landlord', 'spring_not_recorded', 'rounding', 'other_scale', 'all_in_error') THEN 'explained'
    ELSE 'unexplained'
  END AS verdict,
  cause
FROM named
