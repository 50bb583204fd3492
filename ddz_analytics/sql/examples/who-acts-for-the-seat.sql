-- grain: one row per actor and act
-- en: How much is played by hand, by the clock and by autoplay?
-- zh: 多少动作由玩家、超时、托管作出？
SELECT actor, act, count(*) AS acts, count(DISTINCT hand_id) AS hands
FROM actions
GROUP BY actor, act
ORDER BY actor NULLS FIRST, acts DESC, act
