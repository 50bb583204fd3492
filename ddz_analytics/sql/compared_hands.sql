-- grain: one row per scenario and hand that every one of some rule sets scores
-- Over these hands rule sets stand side by side. What autoplay made of the three is told by the log alone, whatever a rule set
-- makes of it: `autoplay` is a peasant on it when the hand ended, `partner` the other one if he was not, `came_back` a peasant who
-- was on it and came back, `peasant` any other. Without a landlord `landlord`, `down`, `up`
-- and `landlord_won` are NULL.
SELECT
  s.scenario, s.hand_id, f.landlord_seat,
  CASE WHEN f.landlord_seat IS NOT NULL THEN 'landlord' END AS landlord,
  peasant_status(f.landlord_seat, f.down_autoplay, f.up_autoplay, f.down_autoplay_ever) AS down,
  peasant_status(f.landlord_seat, f.up_autoplay, f.down_autoplay, f.up_autoplay_ever) AS up,
  f.down_autoplay_cards AS down_began_with,
  f.up_autoplay_cards AS up_began_with,
  CASE WHEN f.landlord_seat IS NOT NULL THEN coalesce(f.winner_seat = f.landlord_seat, f.winner_side = 'landlord') END AS landlord_won
FROM (
  SELECT scenario, hand_id
  FROM settlements
  WHERE rule_set IN (SELECT unnest(rule_sets)) AND score_status <> 'undefined'
  GROUP BY ALL
  HAVING count(*) = len(list_distinct(rule_sets))
) AS s
JOIN settle_facts AS f ON f.hand_id = s.hand_id
