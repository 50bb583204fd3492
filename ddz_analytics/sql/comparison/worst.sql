-- grain: one row per other rule set and hand, the $count hands of each in which some seat's score differs most
WITH differing AS (
  SELECT
    rule_set, hand_id,
    max(abs(difference)) AS largest_difference,
    max(baseline_score) FILTER (seat = 0) AS baseline_0,
    max(baseline_score) FILTER (seat = 1) AS baseline_1,
    max(baseline_score) FILTER (seat = 2) AS baseline_2,
    max(other_score) FILTER (seat = 0) AS other_0,
    max(other_score) FILTER (seat = 1) AS other_1,
    max(other_score) FILTER (seat = 2) AS other_2
  FROM paired_scores($baseline, $others)
  WHERE scenario = $scenario
  GROUP BY rule_set, hand_id
  HAVING max(abs(difference)) > 0
  QUALIFY row_number() OVER (PARTITION BY rule_set ORDER BY largest_difference DESC, hand_id) <= $count
)
SELECT
  d.rule_set, d.hand_id, h.source_hand_id, h.table_id, h.hand_no, h.landlord_seat, d.largest_difference,
  d.baseline_0, d.baseline_1, d.baseline_2, d.other_0, d.other_1, d.other_2
FROM differing AS d
JOIN hands AS h ON h.hand_id = d.hand_id
ORDER BY d.rule_set, d.largest_difference DESC, d.hand_id
