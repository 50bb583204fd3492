-- grain: one row per record that could not become a hand (several may begin on one line)
SELECT source_path, line, code, detail, raw
FROM stored.rejected
