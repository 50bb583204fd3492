-- grain: one row per scenario, hand and seat that a baseline scores
-- Groups that another rule set cannot move. `stake_decile`: 1 to 10 by `stake`, what the hand is played for before events, hands of
-- one stake together, NULL where nothing is. `player_volume`: how many of the scored hands the player sat in, NULL without a name.
SELECT
  s.scenario, s.hand_id, s.seat, d.stake, d.stake_decile,
  CASE
    WHEN s.player IS NULL THEN NULL
    WHEN s.played < 10 THEN '1-9' WHEN s.played < 100 THEN '10-99' WHEN s.played < 1000 THEN '100-999' ELSE '1000+'
  END AS player_volume
FROM (
  SELECT scenario, hand_id, seat, player, count(*) OVER (PARTITION BY scenario, player) AS played
  FROM scores
  WHERE rule_set = baseline AND score_status <> 'undefined'
) AS s
LEFT JOIN (
  SELECT scenario, hand_id, stake, 1 + (10 * (rank() OVER stakes - 1)) // count(*) OVER (PARTITION BY scenario) AS stake_decile
  FROM (
    SELECT scenario, hand_id, (unit * bid)::DECIMAL(38, 4) * auction_multiplier AS stake
    FROM settlements
    WHERE rule_set = baseline AND score_status <> 'undefined' AND (unit * bid)::DECIMAL(38, 4) * auction_multiplier > 0
  )
  WINDOW stakes AS (PARTITION BY scenario ORDER BY stake)
) AS d ON d.scenario = s.scenario AND d.hand_id = s.hand_id
