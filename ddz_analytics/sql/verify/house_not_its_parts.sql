-- grain: one row for the whole store: settlements in which the house does not receive the sum of its parts
SELECT count(*) AS number, min(hand_id) AS example
FROM settlements
WHERE score_status <> 'undefined'
  AND house_rake + house_fee + house_forfeit + house_fine IS DISTINCT FROM house_net
