-- grain: that of the view standings, of one rule set: memory goes with one of them, and not with all
INSERT INTO shared.standings
WITH entrants AS (SELECT * FROM shared.entrants),
seats AS (SELECT * FROM shared.seats),
settled AS (SELECT * FROM shared.settlements WHERE scenario = $scenario AND rule_set = $rule_set),
$places
