-- grain: one row per rule set and how many cards a peasant held when the autoplay began on which he ended the hand
-- `answers_for`: what liability changes for him, what he pays more being negative. Partners on autoplay are in no `partner_mean`.
WITH peasants AS (
  SELECT
    s.rule_set, s.won, s.liable, s.score, s.liability,
    at_seat(NULL, c.down, c.up, s.seat, c.landlord_seat) AS status,
    at_seat(NULL, c.down_began_with, c.up_began_with, s.seat, c.landlord_seat) AS cards,
    at_seat(NULL, c.up, c.down, s.seat, c.landlord_seat) AS other_status,
    sum(s.score) OVER (PARTITION BY s.rule_set, s.hand_id) - s.score AS other_score
  FROM scores AS s
  JOIN compared_hands($rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
  WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets)) AND s.role <> 'landlord'
    AND 'autoplay' IN (c.down, c.up)
)
SELECT
  rule_set,
  CASE
    WHEN cards >= 17 THEN '17-20' WHEN cards >= 11 THEN '11-16' WHEN cards >= 6 THEN '6-10' WHEN cards >= 2 THEN '2-5'
    WHEN cards = 1 THEN '1' ELSE 'unknown'
  END AS cards_at_start,
  count(*) AS seats,
  count(*) FILTER (liable) AS liable,
  count(*) FILTER (NOT won) AS lost,
  count(*) FILTER (won) AS won,
  avg(score)::DECIMAL(38, 4) AS mean,
  (avg(other_score) FILTER (other_status = 'partner'))::DECIMAL(38, 4) AS partner_mean,
  sum(liability)::DECIMAL(38, 4) AS answers_for
FROM peasants
WHERE status = 'autoplay'
GROUP BY rule_set, cards_at_start
ORDER BY
  list_position($rule_sets, rule_set), list_position(['17-20', '11-16', '6-10', '2-5', '1', 'unknown'], cards_at_start)
