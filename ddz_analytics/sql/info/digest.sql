-- grain: one row for the whole view, which is filled in
-- Sums do not depend on the order of rows, and a row's text tells NULL from the text 'NULL'.
SELECT count(*), sum(md5_number_lower(text))::VARCHAR, sum(md5_number_upper(text))::VARCHAR
FROM (
  SELECT content::VARCHAR AS text
  FROM (SELECT COLUMNS(lambda name: name <> 'ingested_at') FROM $view) AS content
)
