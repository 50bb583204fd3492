-- grain: that of the macro compared_balances
CREATE TEMP VIEW shared.compared_balances AS
SELECT
  o.scenario, o.rule_set, b.hand_id, c.landlord_won,
  b.balance_landlord, b.balance_down, b.balance_up,
  balance_left(b.balance_landlord, o.net_landlord, o.fee_apart_landlord) AS left_landlord,
  balance_left(b.balance_down, o.net_down, o.fee_apart_down) AS left_down,
  balance_left(b.balance_up, o.net_up, o.fee_apart_up) AS left_up,
  o.balance_cut_landlord, o.balance_cut_down, o.balance_cut_up,
  o.liable_down, o.liable_up,
  o.transfer_down + o.liability_down AS gained_down,
  o.transfer_up + o.liability_up AS gained_up
FROM shared.before AS b
JOIN shared.scored AS o ON o.alike = b.alike
  AND CASE WHEN o.scenario <> 'recorded' THEN o.rule_set END IS NOT DISTINCT FROM b.rule_set
JOIN shared.courses AS c ON c.course = b.course
