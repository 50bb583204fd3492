-- grain: one row per other rule set and hand, the $count hands of each in which some seat's score differs most
WITH differing AS (
  SELECT
    rule_set, hand_id, landlord_seat,
    greatest(
      abs(other_landlord - baseline_landlord), abs(other_down - baseline_down), abs(other_up - baseline_up)
    )::DECIMAL(38, 4) AS largest_difference,
    baseline_landlord, baseline_down, baseline_up, other_landlord, other_down, other_up
  FROM paired_hands($baseline, $others)
  WHERE scenario = $scenario AND largest_difference > 0
  QUALIFY row_number() OVER (PARTITION BY rule_set ORDER BY largest_difference DESC, hand_id) <= $count
)
SELECT
  d.rule_set, d.hand_id, h.source_hand_id, h.table_id, h.hand_no, h.landlord_seat, d.largest_difference,
  at_seat(d.baseline_landlord, d.baseline_down, d.baseline_up, 0, d.landlord_seat) AS baseline_0,
  at_seat(d.baseline_landlord, d.baseline_down, d.baseline_up, 1, d.landlord_seat) AS baseline_1,
  at_seat(d.baseline_landlord, d.baseline_down, d.baseline_up, 2, d.landlord_seat) AS baseline_2,
  at_seat(d.other_landlord, d.other_down, d.other_up, 0, d.landlord_seat) AS other_0,
  at_seat(d.other_landlord, d.other_down, d.other_up, 1, d.landlord_seat) AS other_1,
  at_seat(d.other_landlord, d.other_down, d.other_up, 2, d.landlord_seat) AS other_2
FROM differing AS d
JOIN hands AS h ON h.hand_id = d.hand_id
ORDER BY d.rule_set, d.largest_difference DESC, d.hand_id
