-- grain: one row per other rule set and role
-- The mean difference with its 95 % interval: robust to clusters, in closed form. Where differences are rare and of one sign the
-- plain interval covers far less than 95 %, so its skewness is removed (Hall 1992, see the macro `unskewed`); the quantile is that
-- of as many degrees of freedom as clusters differ, less one. Withheld below 30 differing hands or clusters. `detectable` is the
-- true difference that four of five such logs would have shown, given where the interval covers 0.
WITH paired AS MATERIALIZED (
  SELECT
    p.rule_set, c.cluster, min(c.clustered_by) AS clustered_by,
    count(*) AS hands,
    sum(p.other_landlord - p.baseline_landlord) AS landlord,
    sum(p.other_down - p.baseline_down) AS down,
    sum(p.other_up - p.baseline_up) AS up,
    count(*) FILTER (p.other_landlord <> p.baseline_landlord) AS landlord_differs,
    count(*) FILTER (p.other_down <> p.baseline_down) AS down_differs,
    count(*) FILTER (p.other_up <> p.baseline_up) AS up_differs
  FROM paired_hands($baseline, $others) AS p
  JOIN clusters() AS c ON c.hand_id = p.hand_id
  WHERE p.scenario = $scenario AND p.landlord_seat IS NOT NULL
  GROUP BY p.rule_set, c.cluster
),
centres AS (
  SELECT
    rule_set,
    sum(hands)::BIGINT AS hands,
    sum(landlord) / sum(hands) AS landlord, sum(down) / sum(hands) AS down, sum(up) / sum(hands) AS up,
    [sum(landlord_differs), sum(down_differs), sum(up_differs)]::BIGINT[] AS differing,
    CASE WHEN min(clustered_by) = max(clustered_by) THEN min(clustered_by) ELSE 'mixed' END AS clustered_by
  FROM paired
  GROUP BY rule_set
),
residuals AS (
  SELECT
    p.rule_set, p.landlord_differs > 0 AS landlord_differs, p.down_differs > 0 AS down_differs, p.up_differs > 0 AS up_differs,
    p.landlord::DOUBLE - p.hands * m.landlord AS landlord, p.down::DOUBLE - p.hands * m.down AS down, p.up::DOUBLE - p.hands * m.up AS up
  FROM paired AS p
  JOIN centres AS m ON m.rule_set = p.rule_set
),
moments AS (
  SELECT
    rule_set,
    count(*) AS clusters,
    [count(*) FILTER (landlord_differs), count(*) FILTER (down_differs), count(*) FILTER (up_differs)] AS differing_clusters,
    [sum(landlord ** 2), sum(down ** 2), sum(up ** 2)] AS squares,
    [sum(landlord ** 3), sum(down ** 3), sum(up ** 3)] AS cubes
  FROM residuals
  GROUP BY rule_set
),
told AS (
  SELECT
    m.rule_set, m.hands, m.clustered_by, s.clusters,
    unnest(['landlord', 'landlord_down', 'landlord_up']) AS role,
    unnest(m.differing) AS differing,
    unnest([m.landlord, m.down, m.up]) AS mean,
    unnest(s.differing_clusters) AS differing_clusters,
    unnest(s.squares) AS squares,
    unnest(s.cubes) AS cubes
  FROM centres AS m
  JOIN moments AS s ON s.rule_set = m.rule_set
),
spread AS (
  SELECT
    *,
    sqrt(squares * clusters / (clusters - 1)) / hands AS error,
    cubes / squares ** 1.5 AS skew,
    t_quantile(differing_clusters - 1) AS width
  FROM told
),
bounds AS (
  SELECT
    *,
    least(differing, differing_clusters) >= 30 AS enough,
    mean - error * unskewed(width, skew) AS low,
    mean - error * unskewed(-width, skew) AS high
  FROM spread
)
SELECT
  rule_set, role, hands, differing, clustered_by, clusters, differing_clusters,
  mean::DECIMAL(38, 4) AS mean_difference,
  CASE WHEN enough THEN low::DECIMAL(38, 4) END AS low,
  CASE WHEN enough THEN high::DECIMAL(38, 4) END AS high,
  CASE WHEN enough AND low <= 0 AND high >= 0 THEN ((width + 0.8416) * error)::DECIMAL(38, 4) END AS detectable
FROM bounds
ORDER BY rule_set, role
