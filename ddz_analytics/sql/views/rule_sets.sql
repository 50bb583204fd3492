-- grain: one row per rule set that anything in the store is scored under
SELECT rule_set, title_zh, title_en, source, rule_hash, assumed, parameters::JSON AS parameters
FROM stored.rule_sets
