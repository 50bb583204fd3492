-- grain: one row per rule set and group of hands that it scores
CREATE TEMP VIEW shared.scored AS
SELECT s.alike, o.*, (o.unit * o.bid)::DECIMAL(38, 4) * o.auction_multiplier AS stake
FROM shared.settled AS s
JOIN shared.outcomes AS o ON o.outcome = s.outcome
WHERE o.score_status <> 'undefined'
