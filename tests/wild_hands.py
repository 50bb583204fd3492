"""Hands with wild cards made for tests: the plays are given, the rest of the deal is filled up."""

from __future__ import annotations

from typing import Any

from ddz_analytics.combinations import CATEGORIES
from ddz_analytics.parsers.ddz1 import Ddz1
from ddz_analytics.replay import Replayed, replay
from tests.agreement import hands_of

Document = dict[str, Any]
RANKS = "3456789TJQKA2BR"
FORMATS = {"ddz/1": Ddz1()}
PASS = "-"


def wild_hand(*turns: str | dict[str, Any], wild: str | None = "7", **fields: Any) -> Document:
    """A hand that breaks off after these turns: the landlord is seat 0 and leads, a turn is card text, an act, or a pass."""
    acts: list[dict[str, Any]] = [{"seat": 0, "act": "bid", "value": 3}]
    wanted = ["", "", ""]
    for place, turn in enumerate(turns):
        act = dict(turn) if isinstance(turn, dict) else {"act": "play", "cards": turn}
        if turn == PASS:
            act = {"act": "pass"}
        acts.append({"seat": place % 3} | act)
        wanted[acts[-1]["seat"]] += act.get("cards", "")
    hands, bottom = _deal(wanted)
    document: Document = {
        "format": "ddz/1",
        "id": "wild",
        "players": ["ann", "bo", "cy"],
        "landlord": 0,
        "first": 0,
    }
    document |= {"dealt": hands, "bottom": bottom, "actions": acts, "outcome": "unfinished"}
    return document | ({} if wild is None else {"wild": wild}) | fields


def _deal(wanted: list[str]) -> tuple[list[str], str]:
    """The cards that each seat needs, and others up to 20, 17 and 17; the landlord's last three are the bottom."""
    left = [*("3456789TJQKA2" * 4 + "BR")]
    for card in "".join(wanted):
        left.remove(card)
    hands = []
    for cards, size in zip(wanted, (20, 17, 17), strict=True):
        more = size - len(cards)
        hands.append(cards + "".join(left[:more]))
        del left[:more]
    return [hands[0][:17], *hands[1:]], hands[0][17:]


def replayed(*documents: Document) -> Replayed:
    """What replay makes of some hands."""
    return replay(hands_of(documents), FORMATS)


def said(document: Document) -> tuple[dict[str, Any], list[str], list[tuple[str, Any]]]:
    """One hand's facts, its plays as words (category, main rank), and its issues (code, action index)."""
    found = replayed(document)
    (facts,) = found.facts.to_pylist()
    plays = [_words(row) for row in found.plays.to_pylist()]
    return facts, plays, [(row["code"], row["action_index"]) for row in found.issues.to_pylist()]


def _words(row: dict[str, Any]) -> str:
    if row["category"] is None:
        return "none"
    name = CATEGORIES[row["category"]]
    return f"{name} {'BR' if name == 'rocket' else RANKS[row['main_rank']]}" + (
        " reread" if row["reread"] else ""
    )


def bombs(facts: dict[str, Any]) -> tuple[int, int, int, int]:
    """How many bombs were played: all, soft, hard, pure."""
    return facts["bombs"], facts["soft_bombs"], facts["hard_bombs"], facts["pure_bombs"]
