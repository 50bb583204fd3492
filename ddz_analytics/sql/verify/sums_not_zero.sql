-- grain: one row for the whole store: settlements in which three seats and the house do not sum to zero
SELECT count(*) AS number, min(hand_id) AS example
FROM settlements
WHERE (score_status <> 'undefined' AND net_landlord + net_down + net_up + house_net IS DISTINCT FROM 0)
  OR (score_status = 'undefined' AND coalesce(net_landlord, net_down, net_up, house_net) IS NOT NULL)
