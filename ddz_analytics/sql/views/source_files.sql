-- grain: one row per file that was read; what several readings of a file that grew have found is added up
SELECT
  path,
  arg_max(sha256, ingested_at) AS sha256,
  arg_max(format, ingested_at) AS format,
  sum(read)::BIGINT AS read,
  sum(stored)::BIGINT AS stored,
  sum(duplicate)::BIGINT AS duplicate,
  sum(rejected)::BIGINT AS rejected,
  sum(skipped)::BIGINT AS skipped,
  max(ingested_at) AS ingested_at
FROM stored.source_files
GROUP BY path
