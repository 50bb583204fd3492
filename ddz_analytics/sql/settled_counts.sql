-- grain: one row per scenario, rule set, what autoplay made of the peasants, who won and settlement by role, over compared_hands
-- `number`: how many hands. What does not tell one hand from another is counted on these rows, which are few.
SELECT
  s.scenario, s.rule_set, c.landlord, c.down, c.up, c.down_began_with, c.up_began_with, c.landlord_won,
  s.transfer_landlord, s.transfer_down, s.transfer_up,
  s.liability_landlord, s.liability_down, s.liability_up,
  s.balance_cut_landlord, s.balance_cut_down, s.balance_cut_up,
  s.fee_landlord, s.fee_down, s.fee_up,
  s.rake_landlord, s.rake_down, s.rake_up,
  s.fine_landlord, s.fine_down, s.fine_up,
  s.net_landlord, s.net_down, s.net_up,
  s.liable_landlord, s.liable_down, s.liable_up,
  count(*) AS number
FROM settlements AS s
JOIN compared_hands(rule_sets) AS c ON c.scenario = s.scenario AND c.hand_id = s.hand_id
WHERE s.rule_set IN (SELECT unnest(rule_sets))
GROUP BY ALL
