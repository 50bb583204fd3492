-- grain: one row per other rule set and match
-- How far its order of players is the baseline's: Kendall's tau-b (1: in every pair, -1: in none, NULL: nothing but ties), how many
-- players have another rank, and how many go on only here or only there where the first $advance of each match do.
-- Pairs in opposite order are counted by the highest bit in which their two ranks under the other rule set differ.
WITH places AS (
  SELECT rule_set, match_id, player, rank, place,
    CASE WHEN last_place <= $advance::BIGINT THEN true WHEN rank > $advance::BIGINT THEN false END AS advanced
  FROM standings
  WHERE scenario = $scenario AND rule_set IN (SELECT unnest($rule_sets))
),
paired AS MATERIALIZED (
  SELECT
    o.rule_set, o.match_id, b.rank AS one, o.rank AS two, b.advanced AS goes_on, o.advanced AS goes_on_there,
    row_number() OVER (PARTITION BY o.rule_set, o.match_id ORDER BY b.rank, o.rank, o.place) AS turn
  FROM places AS b
  JOIN places AS o ON o.match_id = b.match_id AND o.player = b.player
  WHERE b.rule_set = $baseline AND o.rule_set IN (SELECT unnest($others))
),
larger_before AS (
  SELECT rule_set, match_id, (two >> place) & 1 AS bit,
    sum((two >> place) & 1) OVER (PARTITION BY rule_set, match_id, place, two >> (place + 1) ORDER BY turn) AS larger
  FROM paired
  CROSS JOIN (SELECT unnest(range(24)) AS place) AS places_of_bits
  WHERE (1 << place) <= (SELECT max(two) FROM paired)
),
opposite AS (
  SELECT rule_set, match_id, coalesce(sum(larger) FILTER (bit = 0), 0)::DOUBLE AS pairs
  FROM larger_before
  GROUP BY rule_set, match_id
),
tied AS (
  SELECT
    rule_set, match_id,
    sum(pairs) FILTER (tied_in = 3)::DOUBLE AS everyone,
    sum(pairs) FILTER (tied_in = 1)::DOUBLE AS in_one,
    sum(pairs) FILTER (tied_in = 2)::DOUBLE AS in_two,
    sum(pairs) FILTER (tied_in = 0)::DOUBLE AS in_both
  FROM (
    SELECT rule_set, match_id, grouping(one, two) AS tied_in, count(*) * (count(*) - 1) / 2 AS pairs
    FROM paired
    GROUP BY GROUPING SETS ((rule_set, match_id, one, two), (rule_set, match_id, one), (rule_set, match_id, two), (rule_set, match_id))
  )
  GROUP BY rule_set, match_id
),
counted AS (
  SELECT
    rule_set, match_id,
    count(*) AS players,
    count(*) FILTER (one <> two) AS moved,
    max(greatest(one - two, 0)) AS largest_rise,
    max(greatest(two - one, 0)) AS largest_fall,
    count(*) FILTER (goes_on AND NOT goes_on_there) AS only_baseline,
    count(*) FILTER (NOT goes_on AND goes_on_there) AS only_other
  FROM paired
  GROUP BY rule_set, match_id
)
SELECT
  c.*,
  ((t.everyone - t.in_one - t.in_two + t.in_both - 2 * coalesce(o.pairs, 0))
    / nullif(sqrt((t.everyone - t.in_one) * (t.everyone - t.in_two)), 0))::DECIMAL(9, 4) AS tau_b
FROM counted AS c
JOIN tied AS t ON t.rule_set = c.rule_set AND t.match_id = c.match_id
LEFT JOIN opposite AS o ON o.rule_set = c.rule_set AND o.match_id = c.match_id
ORDER BY list_position($others, c.rule_set), c.match_id
