-- grain: one row per rule set, reason, payer and receiver; a party is a role, `house`, or NULL for a seat without a role
SELECT
  f.rule_set, f.reason,
  CASE WHEN f.payer IS NULL THEN 'house' ELSE role_of(f.payer, h.landlord_seat) END AS payer,
  CASE WHEN f.receiver IS NULL THEN 'house' ELSE role_of(f.receiver, h.landlord_seat) END AS receiver,
  count(*) AS hands,
  sum(f.amount)::DECIMAL(38, 4) AS amount
FROM flows AS f
JOIN hands AS h ON h.hand_id = f.hand_id
WHERE f.scenario = $scenario AND f.rule_set IN (SELECT unnest($rule_sets)) AND f.reason IN ('liability', 'forfeit')
GROUP BY ALL
ORDER BY ALL
