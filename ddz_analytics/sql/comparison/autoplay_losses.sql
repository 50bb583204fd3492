-- grain: one row per rule set and kind of peasant: `autoplay`, on it alone when the hand ended, and `partner`
-- The mean score in hands that the peasants lost, with its 95 % interval as in `intervals.sql`, over the hands that every rule set
-- scores. Withheld below 30 clusters.
WITH lost AS (
  SELECT
    s.rule_set, k.cluster,
    unnest([s.net_down, s.net_up]) AS score,
    unnest([c.down, c.up]) AS status
  FROM settlements AS s
  JOIN compared_hands($rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
  JOIN clusters() AS k ON k.hand_id = s.hand_id
  WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets)) AND c.landlord_won AND 'partner' IN (c.down, c.up)
),
means AS (
  SELECT rule_set, status, count(*) AS seats, avg(score) AS mean FROM lost GROUP BY rule_set, status
),
clustered AS (
  SELECT l.rule_set, l.status, l.cluster, sum(l.score - m.mean)::DOUBLE AS residual
  FROM lost AS l
  JOIN means AS m ON m.rule_set = l.rule_set AND m.status = l.status
  GROUP BY l.rule_set, l.status, l.cluster
),
moments AS (
  SELECT rule_set, status, count(*) AS clusters, sum(residual ** 2) AS squares, sum(residual ** 3) AS cubes
  FROM clustered
  GROUP BY rule_set, status
),
spread AS (
  SELECT
    m.*, s.clusters,
    sqrt(s.squares * s.clusters / (s.clusters - 1)) / m.seats AS error,
    s.cubes / nullif(s.squares, 0) ** 1.5 AS skew,
    t_quantile(s.clusters - 1) AS width
  FROM means AS m
  JOIN moments AS s ON s.rule_set = m.rule_set AND s.status = m.status
  WHERE s.clusters > 1 OR m.seats > 0
)
SELECT
  rule_set, status, seats, clusters,
  mean::DECIMAL(38, 4) AS mean,
  CASE WHEN clusters >= 30 THEN (mean - error * unskewed(width, coalesce(skew, 0)))::DECIMAL(38, 4) END AS low,
  CASE WHEN clusters >= 30 THEN (mean - error * unskewed(-width, coalesce(skew, 0)))::DECIMAL(38, 4) END AS high
FROM spread
ORDER BY list_position($rule_sets, rule_set), status
