-- grain: one row per rule set and kind of peasant, over the hands that every rule set scores
-- `both`: a peasant on autoplay whose partner was on it too; the other kinds are those of the macro compared_hands. `liable`: seats
-- that the rule set held liable. A hand whose two peasants are of one kind counts once among `hands`.
WITH peasants AS (
  SELECT
    rule_set, number, NOT landlord_won AS won, down = up AS alike,
    unnest(['down', 'up']) AS peasant,
    unnest([down, up]) AS kind,
    unnest([liable_down, liable_up]) AS liable,
    unnest([net_down, net_up]) AS score
  FROM settled_counts($rule_sets)
  WHERE scenario = $scenario AND compared AND landlord IS NOT NULL
)
SELECT
  rule_set,
  CASE WHEN kind = 'autoplay' AND alike THEN 'both' ELSE kind END AS status,
  sum(number)::BIGINT AS seats,
  coalesce(sum(number) FILTER (peasant = 'down' OR NOT alike), 0)::BIGINT AS hands,
  coalesce(sum(number) FILTER (liable), 0)::BIGINT AS liable,
  (sum(score * number::DECIMAL(18, 0)) / sum(number))::DECIMAL(38, 4) AS mean,
  sum(score * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS total,
  coalesce(sum(number) FILTER (NOT won), 0)::BIGINT AS lost,
  (sum(score * number::DECIMAL(18, 0)) FILTER (NOT won) / sum(number) FILTER (NOT won))::DECIMAL(38, 4) AS mean_lost,
  coalesce(sum(number) FILTER (won), 0)::BIGINT AS won,
  (sum(score * number::DECIMAL(18, 0)) FILTER (won) / sum(number) FILTER (won))::DECIMAL(38, 4) AS mean_won
FROM peasants
GROUP BY rule_set, status
ORDER BY list_position($rule_sets, rule_set), list_position(['autoplay', 'partner', 'both', 'came_back', 'peasant'], status)
