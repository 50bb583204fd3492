-- grain: one row per row of another mapped table that cannot be read or whose hand does not exist, in the order of the files
SELECT others.place, others.line, others.raw, others.code, others.detail
FROM others
ANTI JOIN hands USING (key)
ORDER BY others.place
