-- grain: one row per scenario, rule set and local day on which hands began that it scores; NULL is a day as well
SELECT s.scenario, s.rule_set, h.local_day, count(*) AS hands
FROM settlements AS s
JOIN hands AS h ON h.hand_id = s.hand_id
WHERE s.rule_set IN (SELECT unnest(rule_sets)) AND s.score_status <> 'undefined'
GROUP BY ALL
