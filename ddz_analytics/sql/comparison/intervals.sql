-- grain: one row per other rule set and role
-- The mean difference with its 95 % interval: robust to clusters, in closed form. Where differences are rare and of one sign the
-- plain interval covers far less than 95 %, so its skewness is removed (Hall 1992, see the macro `unskewed`); the quantile is that
-- of as many degrees of freedom as clusters differ, less one. Withheld below 30 differing hands or clusters. `detectable` is the
-- true difference that four of five such logs would have shown, given where the interval covers 0.
WITH paired AS (
  SELECT
    p.rule_set, c.cluster, min(c.clustered_by) AS clustered_by,
    count(*) AS hands,
    [sum(p.other_landlord - p.baseline_landlord), sum(p.other_down - p.baseline_down), sum(p.other_up - p.baseline_up)] AS totals,
    [
      count(*) FILTER (p.other_landlord <> p.baseline_landlord),
      count(*) FILTER (p.other_down <> p.baseline_down),
      count(*) FILTER (p.other_up <> p.baseline_up)
    ] AS differing
  FROM paired_hands($baseline, $others) AS p
  JOIN clusters() AS c ON c.hand_id = p.hand_id
  WHERE p.scenario = $scenario AND p.landlord_seat IS NOT NULL
  GROUP BY p.rule_set, c.cluster
),
clustered AS (
  SELECT
    rule_set, clustered_by, hands,
    unnest(['landlord', 'landlord_down', 'landlord_up']) AS role,
    unnest(totals) AS total,
    unnest(differing) AS differing
  FROM paired
),
means AS (
  SELECT
    rule_set, role,
    sum(hands)::BIGINT AS hands,
    sum(differing)::BIGINT AS differing,
    sum(total) / sum(hands) AS mean,
    CASE WHEN min(clustered_by) = max(clustered_by) THEN min(clustered_by) ELSE 'mixed' END AS clustered_by
  FROM clustered
  GROUP BY rule_set, role
),
residuals AS (
  SELECT c.rule_set, c.role, c.total::DOUBLE - c.hands * m.mean AS residual, c.differing > 0 AS differs
  FROM clustered AS c
  JOIN means AS m ON m.rule_set = c.rule_set AND m.role = c.role
),
moments AS (
  SELECT
    rule_set, role,
    count(*) AS clusters,
    count(*) FILTER (differs) AS differing_clusters,
    sum(residual ** 2) AS squares,
    sum(residual ** 3) AS cubes
  FROM residuals
  GROUP BY rule_set, role
),
spread AS (
  SELECT
    m.*, s.clusters, s.differing_clusters,
    sqrt(s.squares * s.clusters / (s.clusters - 1)) / m.hands AS error,
    s.cubes / s.squares ** 1.5 AS skew,
    t_quantile(s.differing_clusters - 1) AS width
  FROM means AS m
  JOIN moments AS s ON s.rule_set = m.rule_set AND s.role = m.role
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
