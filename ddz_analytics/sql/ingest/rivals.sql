-- grain: one row per hand of `looks` that has the fingerprint of the content or of the key of one of those `known`
SELECT *
FROM looks
WHERE content IN (SELECT content FROM known)
  OR key IN (SELECT key FROM known)
