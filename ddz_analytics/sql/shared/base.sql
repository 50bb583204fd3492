-- grain: none; what the rule sets of a comparison make of its hands: each settlement that differs, each group of hands that all of
-- them settle alike and each course of a hand stands here once, and each hand as the numbers of these. They are few: whatever does not
-- ask for single hands is told from thousands of rows where a store has millions.

-- one row per settlement but for balances
CREATE TEMP TABLE shared.outcomes AS
SELECT (row_number() OVER ())::INTEGER AS outcome, assumption_codes(assumed) AS assumptions, *
FROM (
  SELECT
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
    house_rake, house_fee, house_forfeit, house_fine, house_net,
    list(hand_id) AS hands
  FROM stored.settlements
  WHERE scenario = $scenario AND list_contains($rule_sets, rule_set)
  GROUP BY ALL
);

-- one row per group of hands that are settled alike
CREATE TEMP TABLE shared.groups AS
SELECT (row_number() OVER ())::INTEGER AS alike, outcomes, list(hand_id) AS hands
FROM (
  SELECT hand_id, list_sort(list(outcome)) AS outcomes
  FROM (SELECT outcome, unnest(hands) AS hand_id FROM shared.outcomes)
  GROUP BY hand_id
)
GROUP BY outcomes;

ALTER TABLE shared.outcomes DROP COLUMN hands;

-- one row per group and settlement of it
CREATE TEMP TABLE shared.settled AS
SELECT alike, unnest(outcomes) AS outcome FROM shared.groups;

-- one row per course
CREATE TEMP TABLE shared.courses AS
SELECT (row_number() OVER ())::INTEGER AS course, *
FROM (
  SELECT winner_side, landlord, down, up, down_began_with, up_began_with, landlord_won, list(hand_id) AS hands
  FROM courses()
  GROUP BY ALL
);

-- one row per hand
CREATE TEMP TABLE shared.hands AS
SELECT h.hand_id, h.landlord_seat::TINYINT AS landlord_seat, h.local_day, g.alike, c.course
FROM hands AS h
JOIN (SELECT alike, unnest(hands) AS hand_id FROM shared.groups) AS g ON g.hand_id = h.hand_id
LEFT JOIN (SELECT course, unnest(hands) AS hand_id FROM shared.courses) AS c ON c.hand_id = h.hand_id;

ALTER TABLE shared.courses DROP COLUMN hands;

DROP TABLE shared.groups;

-- one row per group and course of its hands
CREATE TEMP TABLE shared.counts AS
SELECT alike, course, landlord_seat IS NOT NULL AS has_landlord, count(*) AS number
FROM shared.hands
GROUP BY ALL;
