-- grain: one row per scenario, other rule set and hand that is scored, and not undefined, under the baseline and the other
-- `stake` is what the baseline plays for before events; where it has none (a deal thrown in), the other rule set's. `projected`: under
-- one of the two. `largest_difference`: of any seat's score.
SELECT
  o.scenario, o.rule_set, h.hand_id, h.local_day, h.landlord_seat,
  'projected' IN (b.score_status, o.score_status) AS projected,
  coalesce(b.stake, (o.unit * o.bid)::DECIMAL(38, 4) * o.auction_multiplier)::DECIMAL(38, 4) AS stake,
  b.net_landlord AS baseline_landlord, b.net_down AS baseline_down, b.net_up AS baseline_up, b.house_net AS baseline_house,
  o.net_landlord AS other_landlord, o.net_down AS other_down, o.net_up AS other_up, o.house_net AS other_house,
  greatest(abs(o.net_landlord - b.net_landlord), abs(o.net_down - b.net_down), abs(o.net_up - b.net_up))::DECIMAL(38, 4)
    AS largest_difference
FROM settlements AS o
JOIN (
  SELECT *, nullif((unit * bid)::DECIMAL(38, 4) * auction_multiplier, 0) AS stake FROM settlements WHERE rule_set = baseline
) AS b ON b.hand_id = o.hand_id AND b.scenario = o.scenario
JOIN hands AS h ON h.hand_id = b.hand_id
WHERE o.rule_set IN (SELECT unnest(others))
  AND b.score_status <> 'undefined' AND o.score_status <> 'undefined'
