-- grain: that of the view standings; filled by `places.sql`
CREATE TEMP TABLE shared.standings AS
SELECT * FROM standings LIMIT 0
