-- grain: that of the macro baseline_groups
CREATE TEMP TABLE shared.baseline_groups AS
SELECT * FROM baseline_groups($baseline) WHERE scenario = $scenario
