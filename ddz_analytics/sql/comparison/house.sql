-- grain: one row per rule set
-- `moved` is what the winning seats win; `days` are the days on which hands began, 0 where the logs have no times;
-- `unbalanced`: hands in which seats and house together win or lose something, which must be none.
WITH settled AS (
  SELECT
    rule_set,
    sum(number)::BIGINT AS hands,
    sum((greatest(net_landlord, 0) + greatest(net_down, 0) + greatest(net_up, 0)) * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS moved,
    sum(house_rake * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS rake,
    sum(house_fee * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS fee,
    sum(house_forfeit * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS forfeit,
    sum(house_fine * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS fine,
    sum(house_net * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS net,
    coalesce(sum(number) FILTER (net_landlord + net_down + net_up + house_net <> 0), 0)::BIGINT AS unbalanced
  FROM settled_counts($rule_sets)
  WHERE scenario = $scenario AND score_status <> 'undefined'
  GROUP BY rule_set
)
SELECT s.rule_set, s.hands, d.days, s.* EXCLUDE (rule_set, hands)
FROM settled AS s
JOIN (
  SELECT rule_set, count(local_day) AS days FROM scored_days($rule_sets) WHERE scenario = $scenario GROUP BY rule_set
) AS d ON d.rule_set = s.rule_set
ORDER BY s.rule_set
