-- grain: none; what the rule sets of a comparison make of its hands: each settlement that differs, each group of hands that all of
-- them settle alike and each course of a hand stands here once, and each hand as the numbers of these. They are few: whatever does not
-- ask for single hands is told from thousands of rows where a store has millions. The tables are filled by `range.sql`.

CREATE TEMP SEQUENCE shared.numbers;

CREATE TEMP VIEW shared.settlements AS
SELECT
  hand_id,
  scenario, rule_set, rule_hash, score_status, reason, assumed,
  unit, bid, auction_multiplier, event_multiplier, doublings_uncapped, cap_bites, cap_amount, stake_down, stake_up,
  transfer_landlord, transfer_down, transfer_up,
  liability_landlord, liability_down, liability_up,
  balance_cut_landlord, balance_cut_down, balance_cut_up,
  fee_landlord, fee_down, fee_up,
  rake_landlord, rake_down, rake_up,
  fine_landlord, fine_down, fine_up,
  net_landlord, net_down, net_up,
  fee_apart_landlord, fee_apart_down, fee_apart_up,
  liable_landlord, liable_down, liable_up,
  house_rake, house_fee, house_forfeit, house_fine, house_net
FROM stored.settlements;

CREATE TEMP VIEW shared.taken AS
SELECT * EXCLUDE landlord_seat FROM courses();

-- one row per settlement but for balances
CREATE TEMP TABLE shared.outcomes AS
SELECT 0::INTEGER AS outcome, * EXCLUDE hand_id FROM shared.settlements LIMIT 0;

-- one row per group of hands that are settled alike
CREATE TEMP TABLE shared.groups (alike INTEGER, outcomes INTEGER[]);

-- one row per course
CREATE TEMP TABLE shared.courses AS
SELECT 0::INTEGER AS course, * EXCLUDE hand_id FROM shared.taken LIMIT 0;

-- one row per hand
CREATE TEMP TABLE shared.hands AS
SELECT hand_id, landlord_seat::TINYINT AS landlord_seat, local_day, 0::INTEGER AS alike, 0::INTEGER AS course FROM hands LIMIT 0;
