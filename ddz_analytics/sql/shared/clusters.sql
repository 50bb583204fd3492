-- grain: that of the macro clusters
CREATE TEMP TABLE shared.clusters AS
SELECT * FROM clusters()
