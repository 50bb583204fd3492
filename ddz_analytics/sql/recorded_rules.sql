-- grain: one row per recorded rule set
SELECT DISTINCT recorded_rules FROM hands WHERE recorded_rules IS NOT NULL ORDER BY recorded_rules
