-- grain: one row per hand: all that settling reads, as settling reads it
SELECT * REPLACE (
  landlord_seat::BIGINT AS landlord_seat,
  winner_seat::BIGINT AS winner_seat,
  first_seat::BIGINT AS first_seat,
  first_opener_seat::BIGINT AS first_opener_seat,
  escaped_seat::BIGINT AS escaped_seat
)
FROM stored.facts
