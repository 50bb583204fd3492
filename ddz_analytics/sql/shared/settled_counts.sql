-- grain: that of the macro settled_counts
CREATE TEMP TABLE shared.settled_counts AS
SELECT
  o.* EXCLUDE (outcome, assumed), assumption_codes(o.assumed) AS assumptions, n.compared,
  c.landlord, c.down, c.up, c.down_began_with, c.up_began_with, c.landlord_won,
  sum(n.number)::BIGINT AS number
FROM (
  SELECT s.outcome, h.course, g.alike IS NOT NULL AS compared, sum(h.number) AS number
  FROM shared.counts AS h
  JOIN shared.settled AS s ON s.alike = h.alike
  LEFT JOIN shared.compared AS g ON g.alike = h.alike
  GROUP BY ALL
) AS n
JOIN shared.outcomes AS o ON o.outcome = n.outcome
LEFT JOIN shared.courses AS c ON c.course = n.course
GROUP BY ALL
