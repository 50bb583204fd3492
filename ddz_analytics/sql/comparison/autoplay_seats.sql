-- grain: one row per rule set and kind of peasant, over the hands that every rule set scores
-- `both`: a peasant on autoplay whose partner was on it too; the other kinds are those of the macro compared_hands. `liable`: seats
-- that the rule set held liable.
SELECT
  s.rule_set,
  CASE WHEN c.down = 'autoplay' AND c.up = 'autoplay' THEN 'both'
    ELSE at_seat(NULL, c.down, c.up, s.seat, c.landlord_seat) END AS status,
  count(*) AS seats,
  count(DISTINCT s.hand_id) AS hands,
  count(*) FILTER (s.liable) AS liable,
  avg(s.score)::DECIMAL(38, 4) AS mean,
  sum(s.score)::DECIMAL(38, 4) AS total,
  count(*) FILTER (NOT s.won) AS lost,
  (avg(s.score) FILTER (NOT s.won))::DECIMAL(38, 4) AS mean_lost,
  count(*) FILTER (s.won) AS won,
  (avg(s.score) FILTER (s.won))::DECIMAL(38, 4) AS mean_won
FROM scores AS s
JOIN compared_hands($rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets)) AND s.role <> 'landlord'
GROUP BY s.rule_set, status
ORDER BY list_position($rule_sets, s.rule_set), list_position(['autoplay', 'partner', 'both', 'came_back', 'peasant'], status)
