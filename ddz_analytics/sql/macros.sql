-- grain: none; the scalar macros that the views use and that people may use in their own queries.
-- Names after a dollar sign are filled in from the code (catalog.py), so that a code and its text cannot drift apart.

CREATE MACRO at_seat(landlord, down, up, seat, landlord_seat) AS
  CASE (seat - coalesce(landlord_seat, 0) + 3) % 3 WHEN 0 THEN landlord WHEN 1 THEN down WHEN 2 THEN up END;

CREATE MACRO seat_of(place, landlord_seat) AS
  (coalesce(landlord_seat, 0) + place) % 3;

CREATE MACRO at_place(landlord, down, up, place) AS
  CASE place WHEN 0 THEN landlord WHEN 1 THEN down WHEN 2 THEN up END;

CREATE MACRO role_at(place, landlord_seat) AS
  CASE WHEN landlord_seat IS NOT NULL THEN at_place('landlord', 'landlord_down', 'landlord_up', place) END;

CREATE MACRO role_of(seat, landlord_seat) AS
  CASE (seat - landlord_seat + 3) % 3 WHEN 0 THEN 'landlord' WHEN 1 THEN 'landlord_down' WHEN 2 THEN 'landlord_up' END;

CREATE MACRO peasant_status(landlord_seat, on_autoplay, other_on_autoplay, ever_on_autoplay) AS
  CASE
    WHEN landlord_seat IS NULL THEN NULL
    WHEN on_autoplay THEN 'autoplay'
    WHEN other_on_autoplay THEN 'partner'
    WHEN ever_on_autoplay THEN 'came_back'
    ELSE 'peasant'
  END;

-- beyond fourteen digits there is no such balance
CREATE MACRO balance_left(before, score, fee_apart) AS try_cast(before::DECIMAL(38, 4) + score + fee_apart AS DECIMAL(18, 4));

CREATE MACRO cards_text(mask) AS
  repeat('3', bit_count(mask & 15)) || repeat('4', bit_count((mask >> 4) & 15))
  || repeat('5', bit_count((mask >> 8) & 15)) || repeat('6', bit_count((mask >> 12) & 15))
  || repeat('7', bit_count((mask >> 16) & 15)) || repeat('8', bit_count((mask >> 20) & 15))
  || repeat('9', bit_count((mask >> 24) & 15)) || repeat('T', bit_count((mask >> 28) & 15))
  || repeat('J', bit_count((mask >> 32) & 15)) || repeat('Q', bit_count((mask >> 36) & 15))
  || repeat('K', bit_count((mask >> 40) & 15)) || repeat('A', bit_count((mask >> 44) & 15))
  || repeat('2', bit_count((mask >> 48) & 15)) || repeat('B', bit_count((mask >> 52) & 15))
  || repeat('R', bit_count((mask >> 56) & 15));

CREATE MACRO act_text(code) AS ($acts)[code + 1];

CREATE MACRO stage_text(code) AS ($stages)[code + 1];

CREATE MACRO actor_text(code) AS ($actors)[code + 1];

CREATE MACRO category_text(code) AS ($categories)[code + 1];

CREATE MACRO main_rank_text(main_rank, category) AS
  CASE WHEN category_text(category) = 'rocket' THEN 'BR' ELSE ($ranks)[main_rank + 1] END;

CREATE MACRO assumption_codes(assumed) AS list_where($assumptions, $assumption_flags);

-- The 97.5 % quantile of Student's t, by its expansion about the normal one (Abramowitz and Stegun 26.7.5): right to 0.0001 from
-- 29 degrees of freedom on.
CREATE MACRO t_quantile(freedom) AS
  1.959964 + 2.372271 / freedom + 2.822498 / freedom ** 2 + 2.555850 / freedom ** 3;

-- What a quantile becomes where the mean it is taken of is skewed (Hall 1992, "On the removal of skewness by transformation"):
-- `skew` is the third moment over the second to the power of 3/2, both as sums.
CREATE MACRO unskewed(quantile, skew) AS
  CASE
    WHEN abs(skew) < 1e-6 THEN quantile
    ELSE 3 / skew * (cbrt(1 + skew * (quantile - skew / 6)) - 1)
  END;

CREATE MACRO local_time_of(moment) AS moment AT TIME ZONE $zone;

CREATE MACRO decided_between(ahead, behind) AS
  CASE
    WHEN ahead.points <> behind.points THEN 'points'
    WHEN ahead.last_hand = behind.last_hand AND ahead.last_key <> behind.last_key THEN 'last_hand'
    WHEN ahead.registered < behind.registered THEN 'registration'
    -- against the order of registration: a third player's last hand with one of the two has moved them
    WHEN ahead.registered > behind.registered THEN 'last_hand'
    WHEN behind IS NOT NULL AND ahead IS NOT NULL THEN 'undecided'
  END;
