-- grain: one row per scenario, rule set and hand that every one of some rule sets scores
-- What each role has before and after the hand, what of its payments its balance cuts (`balance_cut_…`), and of the peasants who
-- answers for autoplay and what he owes or gets before any cut (`gained_…`).
SELECT
  s.scenario, s.rule_set, s.hand_id, c.landlord_won,
  s.balance_landlord, s.balance_down, s.balance_up,
  balance_left(s.balance_landlord, s.net_landlord, s.fee_apart_landlord) AS left_landlord,
  balance_left(s.balance_down, s.net_down, s.fee_apart_down) AS left_down,
  balance_left(s.balance_up, s.net_up, s.fee_apart_up) AS left_up,
  s.balance_cut_landlord, s.balance_cut_down, s.balance_cut_up,
  s.liable_down, s.liable_up,
  s.transfer_down + s.liability_down AS gained_down,
  s.transfer_up + s.liability_up AS gained_up
FROM settlements AS s
JOIN compared_hands(rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
WHERE s.rule_set IN (SELECT unnest(rule_sets))
