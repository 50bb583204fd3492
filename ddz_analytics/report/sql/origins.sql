-- grain: one row per log format and recorded rule set
SELECT source_format, recorded_rules, count(*) AS hands
FROM hands
GROUP BY ALL
ORDER BY ALL
