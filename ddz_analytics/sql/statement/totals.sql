-- grain: one row per kind of balance
-- opening + score + fee_apart + unexplained = closing; `recorded_closing` is what the log says the last hand left.
SELECT
  balance_kind,
  count(*) AS hands,
  count(*) FILTER (score_status = 'projected') AS projected,
  count(*) FILTER (score_status = 'undefined') AS undefined,
  first(balance_before) AS opening,
  sum(transfer) AS transfer, sum(liability) AS liability, sum(balance_cut) AS balance_cut,
  sum(fee) AS fee, sum(rake) AS rake, sum(fine) AS fine, sum(score) AS score, sum(fee_apart) AS fee_apart,
  coalesce(sum(unexplained), 0) AS unexplained,
  count(*) FILTER (unexplained <> 0) AS unexplained_changes,
  last(balance_after) AS closing,
  last(recorded_balance_after) AS recorded_closing,
  count(*) FILTER (balance_before IS NULL) AS without_balance
FROM statement
GROUP BY balance_kind
ORDER BY balance_kind
