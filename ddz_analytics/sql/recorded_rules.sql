-- grain: one row per recorded rule set, with how many hands name it
SELECT recorded_rules, count(*) AS hands FROM hands WHERE recorded_rules IS NOT NULL GROUP BY recorded_rules ORDER BY recorded_rules
