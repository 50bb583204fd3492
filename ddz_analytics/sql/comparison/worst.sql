-- grain: one row per other rule set and hand, the $count hands of each in which some seat's score differs most
-- Differences are counted first, so that only the hands with the largest ones are put in order.
WITH counted AS (
  SELECT rule_set, largest_difference, count(*) AS hands
  FROM paired_hands($baseline, $others)
  WHERE scenario = $scenario AND largest_difference > 0
  GROUP BY ALL
),
enough AS (
  SELECT rule_set, min(largest_difference) AS least
  FROM (SELECT *, sum(hands) OVER (PARTITION BY rule_set ORDER BY largest_difference DESC) - hands AS before FROM counted)
  WHERE before < $count
  GROUP BY rule_set
),
differing AS (
  SELECT p.*
  FROM paired_hands($baseline, $others) AS p
  JOIN enough AS e ON e.rule_set = p.rule_set AND p.largest_difference >= e.least
  WHERE p.scenario = $scenario
  QUALIFY row_number() OVER (PARTITION BY p.rule_set ORDER BY p.largest_difference DESC, p.hand_id) <= $count
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
