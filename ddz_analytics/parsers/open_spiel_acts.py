"""The action strings of OpenSpiel's Dou Dizhu after the deal: where the auction ends, whose turn it is, and what each means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ddz_analytics.cards import RANKS
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS, Action, Declared

_BID = re.compile(r"Bid ([123])")
_PLAY = re.compile(r"(?P<core>[3-9TJQKA2BR]+)(?:-(?P<wings>[3-9TJQKA2BR]+))?")


def auction_length(texts: Sequence[str]) -> int:
    """How many of the acts after the deal are the auction: up to a 3, two passes after a bid, or three without one."""
    passes, needed = 0, 3
    for place, text in enumerate(texts):
        if text == "Pass":
            passes += 1
        elif _BID.fullmatch(text):
            passes, needed = 0, 2
        else:
            return place
        if text == "Bid 3" or passes == needed:
            return place + 1
    return len(texts)


def turns(texts: Sequence[str], first: int) -> list[int]:
    """The seat of each act after the deal: round from the first bidder, and round again from the landlord."""
    spoken = auction_length(texts)
    landlord = next((first + place for place in reversed(range(spoken)) if texts[place] != "Pass"), 0)
    begins = [first + place for place in range(spoken)] + [
        landlord + place for place in range(len(texts) - spoken)
    ]
    return [seat % SEATS for seat in begins]


def said(seat: int, text: str) -> Action:
    """The bid of an act of the auction."""
    bid = _BID.fullmatch(text)
    return Action(seat=seat, act="bid", value=int(bid[1]) if bid else 0)


def done(seat: int, text: str) -> Action:
    """The play or pass of an act after the auction; the wings that a plane's string names are a declared reading."""
    if text == "Pass":
        return Action(seat=seat, act="pass")
    play = _PLAY.fullmatch(text.replace("(BWJ)", "B").replace("(CJ)", "R"))
    if play is None:
        raise BadRecord("bad_cards", f"{text[:40]!r} plays no cards")
    core, wings = play["core"], play["wings"]
    if wings is None:
        return Action(seat=seat, act="play", cards=core)
    length = len(set(core))
    declared = Declared(
        "plane_single" if len(wings) == length else "plane_pair", length, max(core, key=RANKS.index)
    )
    return Action(seat=seat, act="play", cards=core + wings, declared=declared)
