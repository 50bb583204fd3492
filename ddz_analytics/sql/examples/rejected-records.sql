-- grain: one row per file and code
-- en: Which records could not become hands, and where is the first of each kind?
-- zh: 哪些记录没能成为牌局，各类第一条在哪里？
SELECT source_path, code, count(*) AS records, min(line) AS first_line, arg_min(detail, line) AS first_detail
FROM rejected_hands
GROUP BY source_path, code
ORDER BY records DESC, source_path, code
