-- grain: none; what the rule sets of a comparison make of its hands: each settlement that differs, each group of hands that all of
-- them settle alike and each course of a hand stands here once, and each hand as the numbers of these. They are few: whatever does not
-- ask for single hands is told from thousands of rows where a store has millions. The tables are filled by `range.sql`.

CREATE TEMP SEQUENCE shared.numbers;

CREATE TEMP VIEW shared.settlements AS
SELECT * EXCLUDE (
  doublings, pair_multiplier_down, pair_multiplier_up, balance_landlord, balance_down, balance_up,
  double_refused_landlord, double_refused_down, double_refused_up, double_change_landlord, double_change_down, double_change_up,
  house_fee_apart
)
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
