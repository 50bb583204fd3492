-- grain: one row per rule set and how many cards a peasant held when the autoplay began on which he ended the hand
-- `answers_for`: what liability changes for him, what he pays more being negative. Partners on autoplay are in no `partner_mean`.
WITH peasants AS (
  SELECT
    rule_set, number, NOT landlord_won AS won,
    unnest([down, up]) AS status,
    unnest([up, down]) AS other_status,
    unnest([down_began_with, up_began_with]) AS cards,
    unnest([liable_down, liable_up]) AS liable,
    unnest([net_down, net_up]) AS score,
    unnest([net_up, net_down]) AS other_score,
    unnest([liability_down, liability_up]) AS liability
  FROM settled_counts($rule_sets)
  WHERE scenario = $scenario AND compared AND 'autoplay' IN (down, up)
)
SELECT
  rule_set,
  CASE
    WHEN cards >= 17 THEN '17-20' WHEN cards >= 11 THEN '11-16' WHEN cards >= 6 THEN '6-10' WHEN cards >= 2 THEN '2-5'
    WHEN cards = 1 THEN '1' ELSE 'unknown'
  END AS cards_at_start,
  sum(number)::BIGINT AS seats,
  coalesce(sum(number) FILTER (liable), 0)::BIGINT AS liable,
  coalesce(sum(number) FILTER (NOT won), 0)::BIGINT AS lost,
  coalesce(sum(number) FILTER (won), 0)::BIGINT AS won,
  (sum(score * number::DECIMAL(18, 0)) / sum(number))::DECIMAL(38, 4) AS mean,
  (
    sum(other_score * number::DECIMAL(18, 0)) FILTER (other_status = 'partner') / sum(number) FILTER (other_status = 'partner')
  )::DECIMAL(38, 4) AS partner_mean,
  sum(liability * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS answers_for
FROM peasants
WHERE status = 'autoplay'
GROUP BY rule_set, cards_at_start
ORDER BY
  list_position($rule_sets, rule_set), list_position(['17-20', '11-16', '6-10', '2-5', '1', 'unknown'], cards_at_start)
