-- grain: one row per rule set, over the hands that every rule set scores
-- `asked`: doubles asked for, where the rule set has doubles; `would_change`: what the refused ones, each alone, would have changed of
-- their seats' own scores in all, `largest_change` the most of it up or down, `unknown_change` how many cannot be told.
WITH compared AS (
  SELECT hand_id FROM compared_hands($rule_sets) WHERE scenario = $scenario
),
asked AS (
  SELECT
    count(*) FILTER (landlord_doubled > 1) + count(*) FILTER (down_doubled > 1) + count(*) FILTER (up_doubled > 1) AS doubles
  FROM settle_facts
  WHERE hand_id IN (SELECT hand_id FROM compared)
),
refused AS (
  SELECT *
  FROM refusals
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets)) AND hand_id IN (SELECT hand_id FROM compared)
)
SELECT
  r.rule_set,
  any_value(CASE WHEN (r.parameters ->> 'double.factor')::BIGINT > 1 THEN a.doubles ELSE 0 END) AS asked,
  count(*) FILTER (f.what = 'double') AS refused,
  count(*) FILTER (f.what = 'double' AND f.reason = 'own') AS refused_own,
  count(*) FILTER (f.what = 'double' AND f.reason = 'landlord') AS refused_landlord,
  count(*) FILTER (f.what = 'double' AND f.reason = 'someone') AS refused_someone,
  coalesce(sum(f.would_change) FILTER (f.what = 'double'), 0)::DECIMAL(38, 4) AS would_change,
  max(abs(f.would_change)) FILTER (f.what = 'double') AS largest_change,
  count(*) FILTER (f.what = 'double' AND f.would_change IS NULL) AS unknown_change,
  count(*) FILTER (f.what = 'entry') AS entries_refused,
  count(DISTINCT f.hand_id) FILTER (f.what = 'entry') AS hands_with_entry_refused
FROM rule_sets AS r
CROSS JOIN asked AS a
LEFT JOIN refused AS f ON f.rule_set = r.rule_set
WHERE r.rule_set IN (SELECT unnest($rule_sets))
GROUP BY r.rule_set
ORDER BY list_position($rule_sets, r.rule_set)
