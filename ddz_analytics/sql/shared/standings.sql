-- grain: that of the view standings
CREATE TEMP TABLE shared.standings AS
SELECT * FROM standings WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets))
