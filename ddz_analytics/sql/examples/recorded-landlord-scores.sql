-- grain: one row per recorded rule set
-- en: What did the logs themselves record for landlords?
-- zh: 日志记录的地主得分如何？
SELECT recorded_rules, count(*) AS hands,
  avg(CASE landlord_seat WHEN 0 THEN recorded_score_0 WHEN 1 THEN recorded_score_1 ELSE recorded_score_2 END) AS mean_score,
  count(*) FILTER (CASE landlord_seat WHEN 0 THEN recorded_score_0 WHEN 1 THEN recorded_score_1 ELSE recorded_score_2 END > 0) AS gained
FROM declared_facts
WHERE landlord_seat IS NOT NULL AND recorded_score_0 IS NOT NULL
GROUP BY recorded_rules
ORDER BY recorded_rules
