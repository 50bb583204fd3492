-- grain: that of the macro scored_days
CREATE TEMP TABLE shared.scored_days AS
SELECT s.scenario, s.rule_set, h.local_day, sum(h.hands)::BIGINT AS hands
FROM (SELECT alike, local_day, count(*) AS hands FROM shared.hands GROUP BY ALL) AS h
JOIN shared.scored AS s ON s.alike = h.alike
GROUP BY ALL
