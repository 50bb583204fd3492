-- grain: one row per scenario, rule set and status of a peasant
-- en: What does a lost hand cost a peasant on autoplay and his partner, by what the rule set makes of autoplay?
-- zh: 农民托管输牌时，托管者和搭档平均各输多少，按规则的托管政策？
SELECT s.scenario, s.rule_set, r.parameters ->> 'liability.when_losing' AS policy,
  CASE WHEN h.autoplay_at_end THEN 'autoplay' ELSE 'partner' END AS status,
  count(*) AS seats, avg(s.score) AS mean_score
FROM scores AS s
JOIN rule_sets AS r USING (rule_set)
JOIN hand_seats AS h USING (hand_id, seat)
JOIN hand_seats AS p ON p.hand_id = s.hand_id AND p.seat <> s.seat AND p.role <> 'landlord'
WHERE s.role <> 'landlord' AND NOT s.won AND s.score_status <> 'undefined' AND (h.autoplay_at_end <> p.autoplay_at_end)
GROUP BY ALL
ORDER BY ALL
