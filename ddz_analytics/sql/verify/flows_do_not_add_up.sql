-- grain: one row for the whole store: scores that are not what flows to the seat less what flows from it
WITH flown AS (
  SELECT scenario, rule_set, hand_id, seat, sum(amount) AS amount
  FROM (
    SELECT scenario, rule_set, hand_id, receiver AS seat, amount FROM flows
    UNION ALL
    SELECT scenario, rule_set, hand_id, payer, -amount FROM flows
  )
  WHERE seat IS NOT NULL
  GROUP BY ALL
)
SELECT count(*) AS number, min(s.hand_id) AS example
FROM scores AS s
LEFT JOIN flown AS f ON f.scenario = s.scenario AND f.rule_set = s.rule_set AND f.hand_id = s.hand_id AND f.seat = s.seat
WHERE s.score_status <> 'undefined' AND coalesce(f.amount, 0) IS DISTINCT FROM s.score
