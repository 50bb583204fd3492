-- grain: one row per format
-- en: What was read, and what became of it?
-- zh: 读入了多少记录，结果如何？
SELECT format, count(*) AS files, sum(read)::BIGINT AS read, sum(stored)::BIGINT AS stored, sum(duplicate)::BIGINT AS duplicate,
  sum(rejected)::BIGINT AS rejected, sum(skipped)::BIGINT AS skipped
FROM source_files
GROUP BY format
ORDER BY format
