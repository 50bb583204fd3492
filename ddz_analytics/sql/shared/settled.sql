-- grain: one row per group of hands that are settled alike, and settlement of it
CREATE TEMP TABLE shared.settled AS
SELECT alike, unnest(outcomes) AS outcome FROM shared.groups
