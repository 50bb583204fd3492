-- grain: one row per format and kind of spring
-- en: How often does a hand end in a spring or an anti-spring?
-- zh: 春天和反春天有多频繁？
SELECT h.source_format, f.spring, count(*) AS hands, count(*) / sum(count(*)) OVER (PARTITION BY h.source_format) AS share
FROM hand_facts AS f
JOIN hands AS h USING (hand_id)
WHERE f.winner_side IS NOT NULL AND f.spring IS NOT NULL
GROUP BY h.source_format, f.spring
ORDER BY ALL
