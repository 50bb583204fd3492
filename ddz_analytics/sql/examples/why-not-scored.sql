-- grain: one row per rule set, format and reason
-- en: Why do hands have no score, or a score of zero?
-- zh: 哪些局没有得分或得零分，为什么？
SELECT s.scenario, s.rule_set, h.source_format, s.score_status, s.reason, count(*) AS hands, min(s.hand_id) AS first_hand
FROM settlements AS s
JOIN hands AS h USING (hand_id)
WHERE s.reason IS NOT NULL
GROUP BY ALL
ORDER BY s.scenario, s.rule_set, hands DESC, h.source_format, s.reason
