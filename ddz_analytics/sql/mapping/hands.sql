-- grain: one row per hand of the mapped table of hands, in the order of the files; `others` says where the hand stands once more
SELECT hands.* EXCLUDE (same, key), CASE WHEN hands.place = first THEN last_place ELSE first_place END AS others
FROM hands
LEFT JOIN (
    SELECT key,
           min(place) AS first,
           arg_min(file || ':' || line, place) AS first_place,
           arg_max(file || ':' || line, place) AS last_place
    FROM hands
    WHERE key IS NOT NULL
    GROUP BY key
    HAVING count(*) > 1 AND (NOT $once OR count(DISTINCT same) > 1)
) AS twice USING (key)
ORDER BY hands.place
