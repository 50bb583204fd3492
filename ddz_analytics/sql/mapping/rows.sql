-- grain: one row per row of another mapped table and hand that it belongs to, in the order of the hands
SELECT hands.place AS hand, others.* EXCLUDE (same, key)
FROM others
JOIN hands USING (key)
ORDER BY hands.place, others.place
