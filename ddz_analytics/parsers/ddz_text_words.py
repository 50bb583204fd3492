"""The words of `ddz-text`, in Chinese and in English: fields, acts, cards."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ddz_analytics.cards import RANKS
from ddz_analytics.errors import BadRecord

FIELDS = {
    "玩家": "players", "players": "players", "桌": "table", "table": "table", "比赛": "match", "match": "match",
    "序号": "no", "no": "no", "时间": "time", "time": "time", "规则": "rules", "rules": "rules", "癞子": "wild", "wild": "wild",
    "先叫": "first", "first": "first", "底牌": "bottom", "bottom": "bottom", "地主": "landlord", "landlord": "landlord",
    "得分": "scores", "scores": "scores", "倍数": "multiplier", "multiplier": "multiplier", "余额": "balances",
    "balances": "balances", "结局": "outcome", "outcome": "outcome",
    "底分": "room.unit", "unit": "room.unit", "低叫": "room.low", "low": "room.low", "高叫": "room.high", "high": "room.high",
    "倍率": "room.rate", "rate": "room.rate", "房费": "room.fee", "fee": "room.fee",
    "加倍门槛": "room.double_threshold", "double_threshold": "room.double_threshold",
}  # fmt: skip
SECTIONS = {"叫牌": "auction", "auction": "auction", "出牌": "play", "play": "play"}
OUTCOMES = {
    "完成": "complete", "流局": "redeal", "逃跑": "escaped", "作废": "void", "未完": "unfinished",
    **{word: word for word in ("complete", "redeal", "escaped", "void", "unfinished")},
}  # fmt: skip
NOBODY = ("无", "none")
PASSES = ("不出", "过", "要不起", "不要", "pass")
STATES: dict[str, dict[str, Any]] = {
    "托管": {"act": "autoplay", "value": 1}, "autoplay on": {"act": "autoplay", "value": 1},
    "取消托管": {"act": "autoplay", "value": 0}, "autoplay off": {"act": "autoplay", "value": 0},
    "掉线": {"act": "disconnect"}, "disconnect": {"act": "disconnect"},
    "重连": {"act": "reconnect"}, "reconnect": {"act": "reconnect"},
    "逃跑": {"act": "escape"}, "escape": {"act": "escape"},
}  # fmt: skip
SPOKEN: dict[str, dict[str, Any]] = {
    **{word: {"act": "decline"} for word in ("不叫", "不抢", "decline", *PASSES)},
    **{word: {"act": "call"} for word in ("叫地主", "call")},
    **{word: {"act": "rob"} for word in ("抢地主", "抢", "rob")},
    "加倍": {"act": "double", "value": 2}, "double": {"act": "double", "value": 2},
    "超级加倍": {"act": "double", "value": 4}, "double 4": {"act": "double", "value": 4},
    "不加倍": {"act": "double", "value": 1}, "no double": {"act": "double", "value": 1},
    "踢": {"act": "kick", "value": 1}, "kick": {"act": "kick", "value": 1},
    "不踢": {"act": "kick", "value": 0}, "no kick": {"act": "kick", "value": 0},
    **STATES,
}  # fmt: skip
ACTORS = {
    "超时": "timeout", "timeout": "timeout", "托管": "autoplay", "autoplay": "autoplay", "裁判": "judge", "judge": "judge",
}  # fmt: skip
STAGES = {
    "开局明牌": "start",
    "open start": "start",
    "发牌明牌": "deal",
    "open deal": "deal",
    "明牌": "bottom",
    "open": "bottom",
}

_BID = re.compile(r"(?:叫|bid ?)?(\d{1,9})分?", re.ASCII)
_OPEN = re.compile(r"(开局明牌|发牌明牌|明牌|open start|open deal|open)(?: ?[x×*](\d{1,2}))?", re.ASCII)
_BY = re.compile(r"\(([^()]*)\)$")
_CARD = re.compile(
    r"(?P<rocket>王炸|火箭|ROCKET)|(?P<small>小王|BJ?)|(?P<big>大王|RJ?)|(?P<suit>[♠♥♦♣SHDC]?)(?P<rank>10|[2-9TJQKA])"
)
_BETWEEN = re.compile(r"[\s,、]+")
_SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: 0x20,
    0xFE0F: None,
    ord("−"): ord("-"),
}


class CardsRead(NamedTuple):
    """Cards as they were written: each a suit (or none) and a rank; `core` is how many stand before a `+`, else 0."""

    cards: tuple[str, ...]
    core: int = 0

    @property
    def suited(self) -> bool:
        """Whether every card but the jokers has its suit."""
        return all(len(card) == 2 or card in "BR" for card in self.cards)

    def text(self, *, suited: bool) -> str:
        """The card text, with suits or without."""
        return " ".join(self.cards) if suited else "".join(card[-1] for card in self.cards)

    def plane(self) -> dict[str, Any] | None:
        """The reading that a `+` behind two or more trios in sequence declares."""
        ranks = [card[-1] for card in self.cards[: self.core]]
        trios, wings = len(set(ranks)), len(self.cards) - self.core
        if trios < 2 or any(ranks.count(rank) != 3 for rank in ranks) or wings not in (trios, 2 * trios):
            return None
        category = "plane_single" if wings == trios else "plane_pair"
        return {"category": category, "length": trios, "main": max(ranks, key=RANKS.index)}


def half_width(text: str) -> str:
    """The text with the letters, digits and signs of an East Asian keyboard as plain ones."""
    return text.translate(_FULL_WIDTH)


def cards_read(text: str) -> CardsRead | None:
    """The cards that a text names, None where it names something else."""
    cards: list[str] = []
    core, place, upper = 0, 0, text.upper().strip()
    while place < len(upper):
        if upper[place] == "+" and cards and not core:
            core, place = len(cards), place + 1
            continue
        if between := _BETWEEN.match(upper, place):
            place = between.end()
            continue
        card = _CARD.match(upper, place)
        if card is None:
            return None
        cards += _named(card)
        place = card.end()
    return CardsRead(tuple(cards), core) if cards else None


def _named(card: re.Match[str]) -> list[str]:
    if card["rank"]:
        return [_SUITS.get(card["suit"], card["suit"]) + card["rank"].replace("10", "T")]
    return ["B", "R"] if card["rocket"] else ["B"] if card["small"] else ["R"]


def spoken(text: str) -> dict[str, Any] | None:
    """The act that some words of the auction tell, None where they tell none."""
    if text in SPOKEN:
        return dict(SPOKEN[text])
    if bid := _BID.fullmatch(text):
        return {"act": "bid", "value": int(bid[1])}
    if opened := _OPEN.fullmatch(text):
        factor = {} if opened[2] is None else {"value": int(opened[2])}
        return {"act": "open", "stage": STAGES[opened[1]]} | factor
    return None


def split_actor(text: str) -> tuple[str, str | None]:
    """An act without what stands in brackets behind it, and who acted by that; raises `BadRecord` for another word."""
    by = _BY.search(text)
    if by is None:
        return text.strip(), None
    if by[1].strip() not in ACTORS:
        raise BadRecord("out_of_range", f"expected (超时), (托管) or (裁判), not {by[0][:20]!r}")
    return text[: by.start()].strip(), ACTORS[by[1].strip()]
