-- grain: one row for the whole store: scores that are not the sum of their components
SELECT count(*) AS number, min(hand_id) AS example
FROM scores
WHERE score_status <> 'undefined'
  AND transfer + liability + balance_cut + fee + rake + fine IS DISTINCT FROM score
