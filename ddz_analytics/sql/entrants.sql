-- grain: one row per match and player of the seats `named`; both are numbers, by which grouping and sorting take less time than by names
SELECT
  row_number() OVER ()::INTEGER AS entrant, dense_rank() OVER (ORDER BY match_id)::INTEGER AS match,
  match_id, player, any_value(event) AS event,
  CASE WHEN min(registered) = max(registered) THEN min(registered) END AS registered
FROM named
GROUP BY match_id, player
