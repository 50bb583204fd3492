-- grain: one row per rule set
-- `moved` is what the winning seats win; `days` are the days on which hands began, 0 where the logs have no times;
-- `unbalanced`: hands in which seats and house together win or lose something, which must be none.
SELECT
  s.rule_set,
  count(*) AS hands,
  count(DISTINCT h.local_day) AS days,
  sum(greatest(s.net_landlord, 0) + greatest(s.net_down, 0) + greatest(s.net_up, 0))::DECIMAL(38, 4) AS moved,
  sum(s.house_rake)::DECIMAL(38, 4) AS rake,
  sum(s.house_fee)::DECIMAL(38, 4) AS fee,
  sum(s.house_forfeit)::DECIMAL(38, 4) AS forfeit,
  sum(s.house_fine)::DECIMAL(38, 4) AS fine,
  sum(s.house_net)::DECIMAL(38, 4) AS net,
  count(*) FILTER (s.net_landlord + s.net_down + s.net_up + s.house_net <> 0) AS unbalanced
FROM settlements AS s
JOIN hands AS h ON h.hand_id = s.hand_id
WHERE s.scenario = $scenario AND s.rule_set IN (SELECT unnest($rule_sets)) AND s.score_status <> 'undefined'
GROUP BY s.rule_set
ORDER BY s.rule_set
