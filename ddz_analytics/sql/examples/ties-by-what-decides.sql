-- grain: one row per scenario, rule set and tie-break
-- en: How often do totals tie, and what decides then?
-- zh: 总分相同有多少次，由什么决定名次？
SELECT scenario, rule_set, decided_by, count(*) AS players, count(DISTINCT match_id) AS matches
FROM standings
GROUP BY scenario, rule_set, decided_by
ORDER BY ALL
