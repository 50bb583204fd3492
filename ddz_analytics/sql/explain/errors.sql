-- grain: one row per fault of the hand in question
SELECT code, action_index, seat
FROM hand_issues
WHERE hand_id = $hand AND severity = 'error'
ORDER BY issue_index
