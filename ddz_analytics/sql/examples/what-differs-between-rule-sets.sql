-- grain: one row per rule set
-- en: Which rule sets have a cap, a rake, doubling bombs, and who answers for autoplay?
-- zh: 各规则的封顶、抽水、炸弹和托管责任如何？
SELECT rule_set, title_zh, title_en, parameters ->> 'cap.doublings' AS cap, parameters ->> 'events.bomb' AS bomb,
  parameters ->> 'events.combine' AS combine, parameters ->> 'house.rake' AS rake, parameters ->> 'liability.when_losing' AS when_losing,
  rule_hash
FROM rule_sets
ORDER BY rule_set
