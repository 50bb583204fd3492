-- grain: one row per rule set by which some recorded score is to be recomputed
SELECT DISTINCT coalesce(h.recorded_rules, r.rule_set) AS rule_set
FROM stored.hands AS h
LEFT JOIN stored.reference_rules AS r ON r.source_format = h.source_format
WHERE coalesce(h.recorded_score_0, h.recorded_score_1, h.recorded_score_2) IS NOT NULL
  AND coalesce(h.recorded_rules, r.rule_set) IS NOT NULL
ORDER BY rule_set
