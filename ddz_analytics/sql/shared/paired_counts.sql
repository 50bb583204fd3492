-- grain: that of the macro paired_counts
CREATE TEMP TABLE shared.paired_counts AS
SELECT
  scenario, rule_set, role, winner_side, stake, baseline_score, other_score,
  (other_score - baseline_score)::DECIMAL(38, 4) AS difference,
  sum(number)::BIGINT AS number
FROM (
  SELECT
    p.scenario, p.rule_set,
    CASE WHEN h.has_landlord THEN unnest(['landlord', 'landlord_down', 'landlord_up']) END AS role,
    h.winner_side, p.stake,
    unnest([p.baseline_landlord, p.baseline_down, p.baseline_up]) AS baseline_score,
    unnest([p.other_landlord, p.other_down, p.other_up]) AS other_score,
    h.number
  FROM shared.pairs AS p
  JOIN (
    SELECT n.alike, n.has_landlord, c.winner_side, sum(n.number) AS number
    FROM shared.counts AS n
    LEFT JOIN shared.courses AS c ON c.course = n.course
    GROUP BY ALL
  ) AS h ON h.alike = p.alike
)
GROUP BY ALL
