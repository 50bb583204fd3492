-- grain: one row per scenario, rule set, course of a hand (see the macro courses) and settlement but for balances, over all hands
-- `number`: how many hands; `compared`: whether every one of the rule sets scores them. What does not tell one hand from another is
-- counted on these rows, which are few.
SELECT
  s.scenario, s.rule_set, s.rule_hash, s.score_status, s.reason, s.assumptions,
  o.hand_id IS NOT NULL AS compared,
  c.landlord, c.down, c.up, c.down_began_with, c.up_began_with, c.landlord_won,
  s.unit, s.bid, s.auction_multiplier, s.event_multiplier, s.doublings_uncapped, s.cap_bites, s.cap_amount, s.stake_down, s.stake_up,
  s.transfer_landlord, s.transfer_down, s.transfer_up,
  s.liability_landlord, s.liability_down, s.liability_up,
  s.balance_cut_landlord, s.balance_cut_down, s.balance_cut_up,
  s.fee_landlord, s.fee_down, s.fee_up,
  s.rake_landlord, s.rake_down, s.rake_up,
  s.fine_landlord, s.fine_down, s.fine_up,
  s.net_landlord, s.net_down, s.net_up,
  s.fee_apart_landlord, s.fee_apart_down, s.fee_apart_up,
  s.liable_landlord, s.liable_down, s.liable_up,
  s.house_rake, s.house_fee, s.house_forfeit, s.house_fine, s.house_net,
  count(*) AS number
FROM settlements AS s
LEFT JOIN courses() AS c ON c.hand_id = s.hand_id
LEFT JOIN compared_hands(rule_sets) AS o ON o.scenario = s.scenario AND o.hand_id = s.hand_id
WHERE s.rule_set IN (SELECT unnest(rule_sets))
GROUP BY ALL
