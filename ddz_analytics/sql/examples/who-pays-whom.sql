-- grain: one row per scenario, rule set and two players, the twenty largest of each rule set
-- en: Who has paid how much to whom?
-- zh: 谁付给谁多少？
SELECT f.scenario, f.rule_set, p.player AS paying, r.player AS receiving, count(*) AS payments, sum(f.amount) AS paid
FROM flows AS f
JOIN hand_seats AS p ON p.hand_id = f.hand_id AND p.seat = f.payer
JOIN hand_seats AS r ON r.hand_id = f.hand_id AND r.seat = f.receiver
GROUP BY f.scenario, f.rule_set, p.player, r.player
QUALIFY row_number() OVER (PARTITION BY f.scenario, f.rule_set ORDER BY paid DESC, p.player, r.player) <= 20
ORDER BY f.scenario, f.rule_set, paid DESC, paying, receiving
