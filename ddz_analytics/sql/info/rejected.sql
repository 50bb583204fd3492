-- grain: one row per code
SELECT code, count(*) AS records
FROM rejected_hands
GROUP BY code
ORDER BY code
