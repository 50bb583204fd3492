-- grain: one row per rule set, over the hands that every rule set scores
-- `moved`: what answering for autoplay takes from some party in all, in how many hands; `forfeited`: what of it falls to the house.
WITH counted AS (
  SELECT
    rule_set, number,
    (down = 'autoplay')::BIGINT + (up = 'autoplay')::BIGINT AS on_autoplay,
    landlord_won,
    greatest(-liability_landlord, 0) + greatest(-liability_down, 0) + greatest(-liability_up, 0) AS moved,
    -(liability_landlord + liability_down + liability_up) AS forfeited
  FROM settled_counts($rule_sets)
  WHERE scenario = $scenario AND compared
)
SELECT
  rule_set,
  sum(number)::BIGINT AS hands,
  coalesce(sum(number) FILTER (on_autoplay = 1 AND landlord_won), 0)::BIGINT AS one_lost,
  coalesce(sum(number) FILTER (on_autoplay = 1 AND NOT landlord_won), 0)::BIGINT AS one_won,
  coalesce(sum(number) FILTER (on_autoplay = 2 AND landlord_won), 0)::BIGINT AS both_lost,
  coalesce(sum(number) FILTER (on_autoplay = 2 AND NOT landlord_won), 0)::BIGINT AS both_won,
  coalesce(sum(number) FILTER (moved > 0), 0)::BIGINT AS moved_hands,
  sum(moved * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS moved,
  coalesce(sum(number) FILTER (forfeited > 0), 0)::BIGINT AS forfeit_hands,
  sum(forfeited * number::DECIMAL(18, 0))::DECIMAL(38, 4) AS forfeited
FROM counted
GROUP BY rule_set
ORDER BY list_position($rule_sets, rule_set)
