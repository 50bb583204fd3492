-- grain: one row per hand and issue_index
SELECT
  hand_id, issue_index::BIGINT AS issue_index, code, severity, action_index, seat::BIGINT AS seat, detail
FROM stored.issues
