-- grain: one row per scenario and hand that every one of some rule sets scores
-- Over these hands rule sets stand side by side. The columns are those of the macro courses.
SELECT
  s.scenario, s.hand_id, c.landlord_seat, c.landlord, c.down, c.up, c.down_began_with, c.up_began_with, c.landlord_won
FROM (
  SELECT scenario, hand_id
  FROM settlements
  WHERE rule_set IN (SELECT unnest(rule_sets)) AND score_status <> 'undefined'
  GROUP BY ALL
  HAVING count(*) = len(list_distinct(rule_sets))
) AS s
JOIN courses() AS c ON c.hand_id = s.hand_id
