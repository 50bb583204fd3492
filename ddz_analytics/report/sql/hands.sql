-- grain: one row for all hands chosen
-- Simulated hands have ids that begin with `synthetic-`, or a seat of the kind `simulated`; days and times are local.
SELECT
  count(*) AS hands,
  count(*) FILTER (
    starts_with(source_hand_id, 'synthetic-')
    OR hand_id IN (SELECT hand_id FROM hand_seats WHERE kind = 'simulated')
  ) AS synthetic,
  count(local_time) AS timed,
  min(local_time)::VARCHAR AS first_time,
  max(local_time)::VARCHAR AS last_time,
  count(DISTINCT local_day) AS days,
  $zone AS time_zone
FROM hands
