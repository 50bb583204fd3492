-- grain: one row per scenario, rule set, hand and seat
-- Somebody had something before the hand and nothing, or less than nothing, after it.
SELECT
  scenario, rule_set, hand_id, table_id, match_id, source_format, recorded_rules, started_at, local_time, local_day,
  seat, player, role, score, fee_apart, balance_before, balance_after
FROM scores
WHERE balance_before > 0 AND balance_after <= 0
