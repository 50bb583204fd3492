-- grain: one row per hand, in the order of the store: all that `ddz ingest --facts` takes
-- The rules of a hand whose format never names any are those by which its recorded scores count. An id that is one within its file
-- alone gets a part of the hand's fingerprint, so that it stays the same and no other hand has it.
SELECT
  h.hand_id,
  CASE WHEN i.source_format IS NULL THEN h.source_hand_id
    ELSE coalesce(h.source_hand_id || '-', '') || left(h.content_hash, 12) END AS source_hand_id,
  h.table_id, h.match_id, h.hand_no, h.event, h.started_at, h.ended_at, h.shuffle,
  h.player_0, h.player_1, h.player_2, h.kind_0, h.kind_1, h.kind_2, h.registered_0, h.registered_1, h.registered_2,
  h.balance_kind, h.recorded_bid, h.recorded_multiplier,
  h.recorded_score_0, h.recorded_score_1, h.recorded_score_2, h.recorded_fee_0, h.recorded_fee_1, h.recorded_fee_2,
  h.recorded_balance_after_0, h.recorded_balance_after_1, h.recorded_balance_after_2,
  f.* EXCLUDE (hand_id, evidence) REPLACE (
    coalesce(f.recorded_rules, r.rule_set) AS recorded_rules,
    f.landlord_seat::BIGINT AS landlord_seat,
    f.winner_seat::BIGINT AS winner_seat,
    f.first_seat::BIGINT AS first_seat,
    f.first_opener_seat::BIGINT AS first_opener_seat,
    f.escaped_seat::BIGINT AS escaped_seat
  )
FROM stored.hands AS h
JOIN stored.facts AS f ON f.hand_id = h.hand_id
LEFT JOIN stored.reference_rules AS r ON r.source_format = h.source_format
LEFT JOIN stored.local_ids AS i ON i.source_format = h.source_format
ORDER BY h.hand_id
