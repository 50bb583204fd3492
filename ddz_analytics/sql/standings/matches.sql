-- grain: one row per match
SELECT match_id, count(*) AS hands FROM hands WHERE match_id IS NOT NULL GROUP BY match_id ORDER BY match_id
