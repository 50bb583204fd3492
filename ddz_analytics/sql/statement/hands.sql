-- grain: one row per hand and seat of a player under a rule set, in the order in which the hands were played
-- `unexplained` is what the next hand's balance says beyond what this hand left: money from elsewhere, or other rules.
SELECT
  h.balance_kind, s.hand_id, d.source_hand_id, s.table_id, d.hand_no, s.local_time, s.seat, s.role,
  s.score_status, t.reason,
  s.balance_before, s.transfer, s.liability, s.balance_cut, s.fee, s.rake, s.fine, s.score, s.fee_apart,
  coalesce(s.balance_after, s.balance_before) AS balance_after,
  lead(s.balance_before) OVER played - coalesce(s.balance_after, s.balance_before) AS unexplained,
  h.recorded_score,
  coalesce(h.recorded_balance_after, h.balance_before + h.recorded_score) AS recorded_balance_after
FROM scores AS s
JOIN hand_seats AS h ON h.hand_id = s.hand_id AND h.seat = s.seat
JOIN hands AS d ON d.hand_id = s.hand_id
JOIN settlements AS t ON t.scenario = s.scenario AND t.rule_set = s.rule_set AND t.hand_id = s.hand_id
WHERE s.scenario = $scenario AND s.rule_set = $rule_set AND s.player = $player
  AND ($from::DATE IS NULL OR s.local_day >= $from::DATE) AND ($to::DATE IS NULL OR s.local_day <= $to::DATE)
WINDOW played AS (PARTITION BY h.balance_kind ORDER BY s.started_at NULLS FIRST, s.hand_id, s.seat)
ORDER BY h.balance_kind, s.started_at NULLS FIRST, s.hand_id, s.seat
