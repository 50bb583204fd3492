-- grain: one row per hand after which a player's next balance is another, the hundred largest differences; scored under recorded rule sets
-- en: Which balance changes does no hand explain?
-- zh: 哪些余额变化没有任何一局可以解释？
SELECT player, balance_kind, hand_id, local_time, balance_before, score, balance_after, next_balance, next_balance - balance_after AS unexplained
FROM (
  SELECT s.player, h.balance_kind, s.hand_id, s.local_time, s.balance_before, s.score, s.balance_after,
    lead(s.balance_before) OVER (
      PARTITION BY s.player, h.balance_kind ORDER BY s.started_at NULLS FIRST, s.hand_id, s.seat
    ) AS next_balance
  FROM scores AS s
  JOIN hand_seats AS h USING (hand_id, seat)
  WHERE s.scenario = 'recorded' AND s.rule_set = s.recorded_rules AND s.player IS NOT NULL
)
WHERE next_balance <> balance_after
ORDER BY abs(unexplained) DESC, hand_id, player
LIMIT 100
