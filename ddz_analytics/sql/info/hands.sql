-- grain: one row per log format and recorded rule set
SELECT
  source_format, recorded_rules,
  count(*) AS hands,
  min(local_day)::VARCHAR AS first_day,
  max(local_day)::VARCHAR AS last_day
FROM hands
GROUP BY source_format, recorded_rules
ORDER BY source_format, recorded_rules
