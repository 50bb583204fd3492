-- grain: one row per scenario, rule set and hand
SELECT
  scenario, rule_set, hand_id, rule_hash, score_status, reason,
  assumption_codes(assumed) AS assumptions,
  unit, bid, auction_multiplier, event_multiplier, doublings_uncapped, doublings,
  cap_bites, cap_amount, pair_multiplier_down, pair_multiplier_up, stake_down, stake_up,
  transfer_landlord, transfer_down, transfer_up,
  liability_landlord, liability_down, liability_up,
  balance_cut_landlord, balance_cut_down, balance_cut_up,
  fee_landlord, fee_down, fee_up,
  rake_landlord, rake_down, rake_up,
  fine_landlord, fine_down, fine_up,
  net_landlord, net_down, net_up,
  fee_apart_landlord, fee_apart_down, fee_apart_up,
  balance_landlord, balance_down, balance_up,
  liable_landlord, liable_down, liable_up,
  house_rake, house_fee, house_forfeit, house_fine, house_net, house_fee_apart
FROM stored.settlements
