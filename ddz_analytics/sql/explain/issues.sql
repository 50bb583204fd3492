-- grain: one row per fault or note of the hands in question
SELECT hand_id, code, severity, action_index, seat, detail
FROM hand_issues
WHERE hand_id IN (SELECT unnest($hands))
ORDER BY hand_id, issue_index
