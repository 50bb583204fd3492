-- grain: one row per other rule set, match and player: the $count of each rule set who move furthest, those who cross the cut first
-- `moved` is how many places up (below zero: down); `advanced` whether he is among the first $advance, NULL where lots would decide.
WITH places AS (
  SELECT *,
    CASE WHEN last_place <= $advance::BIGINT THEN true WHEN rank > $advance::BIGINT THEN false END AS goes_on
  FROM standings
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets))
)
SELECT
  o.rule_set, o.match_id, o.player,
  b.rank AS rank_baseline, o.rank AS rank_other, b.rank - o.rank AS moved,
  b.points AS points_baseline, o.points AS points_other,
  b.goes_on AS advanced_baseline, o.goes_on AS advanced_other
FROM places AS b
JOIN places AS o ON o.match_id = b.match_id AND o.player = b.player
WHERE b.rule_set = $baseline AND o.rule_set IN (SELECT unnest($others))
  AND (b.rank <> o.rank OR b.goes_on IS DISTINCT FROM o.goes_on)
QUALIFY row_number() OVER (
  PARTITION BY o.rule_set
  ORDER BY b.goes_on IS DISTINCT FROM o.goes_on DESC, abs(b.rank - o.rank) DESC, o.match_id, o.rank, o.player
) <= $count
ORDER BY list_position($others, o.rule_set), advanced_baseline IS DISTINCT FROM advanced_other DESC, abs(moved) DESC, o.match_id, o.rank, o.player
