-- grain: one row per hand of a match and seat of one of the `entrants`, from the seats `named`
SELECT e.entrant, s.hand_id, s.place::TINYINT AS place, s.turn, s.won
FROM named AS s
JOIN entrants AS e ON e.match_id = s.match_id AND e.player = s.player
