-- grain: one row per code and severity
-- en: Which rules of play do the logs break, or note, and where is the first hand?
-- zh: 日志中有哪些违规或备注，第一局在哪里？
SELECT i.severity, i.code, count(*) AS issues, count(DISTINCT i.hand_id) AS hands, min(i.hand_id) AS first_hand,
  arg_min(h.source_path, i.hand_id) AS in_file, arg_min(h.source_line, i.hand_id) AS at_line
FROM hand_issues AS i
JOIN hands AS h USING (hand_id)
GROUP BY i.severity, i.code
ORDER BY i.severity, issues DESC, i.code
