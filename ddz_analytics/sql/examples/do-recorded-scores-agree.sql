-- grain: one row per recorded rule set, verdict and cause
-- en: Do the recorded scores agree with the recomputed ones, and if not, why?
-- zh: 记录的得分与重新计算的是否一致，不一致的原因？
SELECT rule_set, verdict, cause, count(DISTINCT hand_id) AS hands, count(*) AS seats, min(hand_id) AS first_hand
FROM reconciliation
GROUP BY rule_set, verdict, cause
ORDER BY ALL
