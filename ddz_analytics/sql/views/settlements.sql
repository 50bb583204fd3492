-- grain: one row per scenario, rule set and hand
SELECT
  scenario, rule_set, hand_id, rule_hash, score_status, reason,
  assumption_codes(assumed) AS assumptions,
  unit, bid, auction_multiplier, event_multiplier, doublings_uncapped, doublings,
  cap_bites, cap_amount, pair_multiplier_down, pair_multiplier_up, stake_down, stake_up,
  net_landlord, net_down, net_up,
  house_rake, house_fee, house_forfeit, house_fine, house_net, house_fee_apart
FROM stored.settlements
