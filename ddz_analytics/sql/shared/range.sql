-- grain: none; what `base.sql` has of the hands from $first on and before $end: memory goes with the range, and not with the store
-- What was known before has its number, and stands here with a hand that is NULL.

CREATE OR REPLACE TEMP TABLE shared.found AS
SELECT coalesce(outcome, nextval('shared.numbers'))::INTEGER AS outcome, * EXCLUDE outcome
FROM (
  SELECT max(outcome) AS outcome, * EXCLUDE (outcome, hand_id), list(hand_id) AS hands
  FROM (
    SELECT NULL AS outcome, *
    FROM shared.settlements
    WHERE scenario = $scenario AND list_contains($rule_sets, rule_set) AND hand_id >= $first AND hand_id < $end
    UNION ALL BY NAME
    SELECT *, NULL AS hand_id FROM shared.outcomes
  )
  GROUP BY ALL
);

CREATE OR REPLACE TEMP TABLE shared.outcomes AS
SELECT * EXCLUDE hands FROM shared.found;

CREATE OR REPLACE TEMP TABLE shared.alike AS
SELECT coalesce(alike, nextval('shared.numbers'))::INTEGER AS alike, outcomes, hands
FROM (
  SELECT max(alike) AS alike, outcomes, list(hand_id) AS hands
  FROM (
    SELECT NULL AS alike, hand_id, list_sort(list(outcome)) AS outcomes
    FROM (SELECT outcome, unnest(hands) AS hand_id FROM shared.found)
    WHERE hand_id IS NOT NULL
    GROUP BY hand_id
    UNION ALL BY NAME
    SELECT *, NULL AS hand_id FROM shared.groups
  )
  GROUP BY outcomes
);

CREATE OR REPLACE TEMP TABLE shared.groups AS
SELECT alike, outcomes FROM shared.alike;

CREATE OR REPLACE TEMP TABLE shared.gone AS
SELECT coalesce(course, nextval('shared.numbers'))::INTEGER AS course, * EXCLUDE course
FROM (
  SELECT max(course) AS course, * EXCLUDE (course, hand_id), list(hand_id) AS hands
  FROM (
    SELECT NULL AS course, * FROM shared.taken WHERE hand_id >= $first AND hand_id < $end
    UNION ALL BY NAME
    SELECT *, NULL AS hand_id FROM shared.courses
  )
  GROUP BY ALL
);

CREATE OR REPLACE TEMP TABLE shared.courses AS
SELECT * EXCLUDE hands FROM shared.gone;

INSERT INTO shared.hands
SELECT h.hand_id, h.landlord_seat, h.local_day, g.alike, c.course
FROM hands AS h
JOIN (SELECT alike, unnest(hands) AS hand_id FROM shared.alike) AS g ON g.hand_id = h.hand_id
LEFT JOIN (SELECT course, unnest(hands) AS hand_id FROM shared.gone) AS c ON c.hand_id = h.hand_id
WHERE h.hand_id >= $first AND h.hand_id < $end;
