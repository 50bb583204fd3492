-- grain: one row per hand with the recorded score of some seat, by role (without a landlord by seat)
SELECT
  hand_id,
  source_format,
  (recorded_score_0 IS NOT NULL AND recorded_score_1 IS NOT NULL AND recorded_score_2 IS NOT NULL) AS complete,
  at_seat(recorded_score_0, recorded_score_1, recorded_score_2, coalesce(landlord_seat, 0), 0) AS recorded_landlord,
  at_seat(recorded_score_0, recorded_score_1, recorded_score_2, (coalesce(landlord_seat, 0) + 1) % 3, 0) AS recorded_down,
  at_seat(recorded_score_0, recorded_score_1, recorded_score_2, (coalesce(landlord_seat, 0) + 2) % 3, 0) AS recorded_up
FROM stored.hands
WHERE coalesce(recorded_score_0, recorded_score_1, recorded_score_2) IS NOT NULL
ORDER BY hand_id
