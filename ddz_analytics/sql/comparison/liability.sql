-- grain: one row per rule set, over the hands that every rule set scores
-- `moved`: what answering for autoplay takes from some party in all, in how many hands; `forfeited`: what of it falls to the house.
WITH by_hand AS (
  SELECT
    s.rule_set, s.hand_id,
    any_value((c.down = 'autoplay')::BIGINT + (c.up = 'autoplay')::BIGINT) AS on_autoplay,
    bool_or(s.won) FILTER (s.role <> 'landlord') AS peasants_won,
    sum(greatest(-s.liability, 0)) AS moved,
    -sum(s.liability) AS forfeited
  FROM scores AS s
  JOIN compared_hands($rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
  WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets))
  GROUP BY s.rule_set, s.hand_id
)
SELECT
  rule_set,
  count(*) AS hands,
  count(*) FILTER (on_autoplay = 1 AND NOT peasants_won) AS one_lost,
  count(*) FILTER (on_autoplay = 1 AND peasants_won) AS one_won,
  count(*) FILTER (on_autoplay = 2 AND NOT peasants_won) AS both_lost,
  count(*) FILTER (on_autoplay = 2 AND peasants_won) AS both_won,
  count(*) FILTER (moved > 0) AS moved_hands,
  sum(moved)::DECIMAL(38, 4) AS moved,
  count(*) FILTER (forfeited > 0) AS forfeit_hands,
  sum(forfeited)::DECIMAL(38, 4) AS forfeited
FROM by_hand
GROUP BY rule_set
ORDER BY list_position($rule_sets, rule_set)
