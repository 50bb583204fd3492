-- grain: one row per hand and play_index, a set of cards played (a pass is no play)
SELECT
  p.hand_id,
  p.play_index::BIGINT AS play_index,
  p.action_index::BIGINT AS action_index,
  p.reread,
  p.seat::BIGINT AS seat,
  role_of(p.seat, h.landlord_seat) AS role,
  cards_text(p.cards) AS cards,
  category_text(p.category) AS category,
  p.length::BIGINT AS length,
  main_rank_text(p.main_rank, p.category) AS main_rank,
  p.is_lead,
  p.trick::BIGINT AS trick,
  p.cards_left_after::BIGINT AS cards_left_after
FROM stored.plays AS p
LEFT JOIN stored.hands AS h ON h.hand_id = p.hand_id
