-- grain: one row per rule set and hand in question
SELECT rule_set, hand_id, score_status, net_landlord, net_down, net_up, house_net
FROM settlements
WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets)) AND hand_id IN (SELECT unnest($hands))
ORDER BY hand_id, list_position($rule_sets, rule_set)
