-- grain: one row for hands from $first on and before $end: scores that are not the sum of their components
SELECT count(*) AS number, min(hand_id) AS example
FROM scores
WHERE score_status <> 'undefined' AND hand_id >= $first AND hand_id < $end
  AND transfer + liability + balance_cut + fee + rake + fine IS DISTINCT FROM score
