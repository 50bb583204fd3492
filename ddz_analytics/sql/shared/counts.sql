-- grain: one row per group of hands that are settled alike, and course of them
CREATE TEMP TABLE shared.counts AS
SELECT alike, course, landlord_seat IS NOT NULL AS has_landlord, count(*) AS number
FROM shared.hands
GROUP BY ALL
