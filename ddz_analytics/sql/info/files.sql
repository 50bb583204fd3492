-- grain: one row for the whole store
SELECT
  count(*) AS files,
  coalesce(sum(read), 0)::BIGINT AS read,
  coalesce(sum(stored), 0)::BIGINT AS stored,
  coalesce(sum(duplicate), 0)::BIGINT AS duplicate,
  coalesce(sum(rejected), 0)::BIGINT AS rejected,
  coalesce(sum(skipped), 0)::BIGINT AS skipped
FROM source_files
