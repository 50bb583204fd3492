"""From the facts of a scored case to one row of facts as `settle` takes them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

import ddz_analytics as ddz
from ddz_analytics.schema import ROLES

Words = Mapping[str, Any]

SEATS = range(3)
ASIDE = {"note", "hold_back"}  # remarks on a case, which may stand anywhere and change nothing

PLAYED = {
    "landlord", "winner", "base", "unit", "bid", "robs", "bombs", "rockets", "soft", "hard", "pure", "spring", "landlord_hands",
    "peasant_hands", "room", "room_threshold", "bean_rate", "N", "A", "kicks", "doubles", "open", "table", "beans",
    "autoplay_at_end", "autoplay_started_with", "autoplay_cancelled", "cards_left_at_end", "unplayed_bombs", "unplayed_rocket",
    "void", "escape", "first", "first_by_lot", "first_bidder", "needs_wild", "super_doubles",
}  # fmt: skip
_NEUTRAL = {"base": 1, "bid": 1}  # of what may stand beside `unit`, which is a whole stake; else 0
_SPRINGS = {"spring": "spring", "anti": "anti", "anti_spring": "anti", "none": None, None: None}
_STAGES = {"start": "start", "deal": "deal", "after_bottom": "bottom", "bottom": "bottom"}
_MANY_CARDS = 17  # of autoplay that began at a number of cards the case does not care about


class UnknownWord(Exception):
    """A case says something that nothing here stands for."""


def only(words: Words, known: Collection[str], where: str) -> None:
    """Refuse a word that is none of the known ones."""
    unknown = sorted(set(words) - set(known))
    if unknown:
        raise UnknownWord(f"{', '.join(unknown)} in {where}")


def exact(value: int | str | Decimal) -> int | str:
    """An amount as a log writes it."""
    return value if isinstance(value, int | str) else f"{value:f}"


def facts_row(facts: Words, rules: ddz.RuleSet) -> dict[str, Any]:
    """One row of facts as `settle` takes them."""
    _check_seats(facts)
    may_kick = _may_kick(facts, rules)
    return (
        _course(facts, rules)
        | _stake(facts, rules)
        | _room(facts)
        | {
            f"{role}_{name}": value
            for seat, role in by_role(facts.get("landlord"))
            for name, value in {**_said(facts, seat), **_autoplay(facts, seat)}.items()
        }
        | {f"{role}_could_kick": seat in may_kick for seat, role in by_role(facts.get("landlord"))}
    )


def _check_seats(facts: Words) -> None:
    """Nothing is said of a seat that is not there."""
    named = [
        seat
        for name in ("kicks", "doubles", "super_doubles", "autoplay_at_end", "autoplay_cancelled")
        for seat in facts.get(name, [])
    ]
    named += [opening["seat"] for opening in facts.get("open", [])]
    named += [
        int(seat) for name in ("autoplay_started_with", "cards_left_at_end") for seat in facts.get(name, {})
    ]
    if not set(named) <= set(SEATS):
        raise UnknownWord(f"a seat among {named}")


def _may_kick(facts: Words, rules: ddz.RuleSet) -> Collection[int]:
    """Who may kick: those who did, unless the case says who spoke first; then the auction that made the landlord tells."""
    first, landlord = first_speaker(facts), facts.get("landlord")
    if first is None or landlord is None or rules.auction_kind != "room":
        return list(facts.get("kicks", []))
    declined = [(seat, "decline") for seat in ((first + k) % 3 for k in SEATS)][: (landlord - first) % 3]
    won = (landlord, "rob") if facts.get("robs") else (landlord, "bid", exact(facts["bid"]))
    room = (exact(facts["room"][0]), exact(facts["room"][1]))
    rest = [((landlord + k) % 3, "decline") for k in range(1, 3 - (landlord - first) % 3)]
    goes_on = not facts.get("robs") and facts["bid"] != facts["room"][1]
    acts = [*declined, won, *(rest if goes_on else [])]
    return ddz.auction(acts, rules, first=first, room=room).eligible_kickers


def by_role(landlord: int | None) -> list[tuple[int, str]]:
    """The seat of each role; without a landlord the roles are the seats in order."""
    return [(((landlord or 0) + place) % 3, role) for place, role in enumerate(ROLES)]


def _course(facts: Words, rules: ddz.RuleSet) -> dict[str, Any]:
    """Who was landlord, how the auction and the play went, how it ended."""
    landlord, winner = facts.get("landlord"), facts.get("winner")
    escape = facts.get("escape") if winner is None else None  # in a hand that was played out it is autoplay
    wild = any(name in facts for name in ("soft", "hard", "pure", "needs_wild"))
    soft, hard, pure = (facts.get(name, 0) for name in ("soft", "hard", "pure"))
    bombs = soft + hard + pure if wild else facts.get("bombs", 0)
    row = {
        "hand_id": 0,
        "evidence": "declared",
        "outcome": "void" if facts.get("void") else "escaped" if escape else "complete",
        "replay_status": "ok",
        "landlord_seat": landlord,
        "winner_seat": _winner(facts),
        "auction_kind": rules.auction_kind,
        "robs": facts.get("robs", 0),
        "raises": 0,
        "first_seat": first_speaker(facts),
        "bombs": bombs,
        "rockets": facts.get("rockets", 0),
        "soft_bombs": soft,
        "hard_bombs": hard,
        "pure_bombs": pure,
        "wild_rank": "3" if wild else None,
        "needs_wild": facts.get("needs_wild", soft > 0),
        **dict.fromkeys(("open_offered", "double_offered", "kick_offered", "autoplay_recorded"), True),
    }
    row |= dict(zip((f"{role}_plays" for role in ROLES), _plays(facts), strict=True))
    return row | ({} if escape is None else _escaped(escape, row))


def _winner(facts: Words) -> int | None:
    """The seat that went out: of the peasants the first who is not said to hold cards or to have played nothing."""
    winner: str | None = facts.get("winner")
    landlord: int | None = facts.get("landlord")
    if winner not in ("landlord", "peasants", None):
        raise UnknownWord(f"winner {winner}")
    if winner is None or landlord is None:
        return None
    if winner == "landlord":
        return landlord
    down, up = (landlord + 1) % 3, (landlord + 2) % 3
    holds = facts.get("cards_left_at_end", {}).get(str(down))
    return up if holds or facts.get("peasant_hands", (1, 1))[0] == 0 else down


def _plays(facts: Words) -> tuple[int, int, int]:
    """How often landlord, down and up played: as said, else such that the spring that is said comes of it."""
    if facts.get("spring") not in _SPRINGS:
        raise UnknownWord(f"spring {facts['spring']}")
    spring = _SPRINGS[facts.get("spring")]
    plays = (1 if spring == "anti" else 5, 0 if spring == "spring" else 3, 0 if spring == "spring" else 3)
    if "landlord_hands" not in facts and "peasant_hands" not in facts:
        return plays
    down, up = facts.get("peasant_hands", plays[1:])
    landlord = facts.get("landlord_hands", plays[0])
    by_hands = (
        "spring"
        if down + up == 0
        else "anti"
        if landlord == 1 and facts.get("winner") == "peasants"
        else None
    )
    if "spring" in facts and by_hands != spring:
        raise UnknownWord(f"spring {facts['spring']} with {landlord} plays against {down} and {up}")
    return landlord, down, up


def _escaped(escape: Words, row: Words) -> dict[str, Any]:
    only(escape, {"seat", "stage", "bid", "bombs", "rockets"}, "escape")
    if escape["stage"] not in ("before_any_bid", "auction", "play"):
        raise UnknownWord(f"escape stage {escape['stage']}")
    so_far = {name: escape.get(name, row[name]) for name in ("bombs", "rockets")}
    return {"escaped_seat": escape["seat"], "escape_stage": escape["stage"], **so_far}


def first_speaker(facts: Words) -> int | None:
    """Who speaks first: as it was, else by lot."""
    return next((facts[name] for name in ("first_bidder", "first", "first_by_lot") if name in facts), None)


def _stake(facts: Words, rules: ddz.RuleSet) -> dict[str, Any]:
    """`base` is the room's unit; `unit` is the whole stake of one pair, so that nothing else may multiply it."""
    escaped_bid = (facts.get("escape") or {}).get("bid")
    bid = facts.get("bid", escaped_bid)
    if "unit" not in facts:
        return {"bid": bid, "room_unit": facts.get("base")}
    factors = ("base", "bid", "bombs", "rockets", "robs", "soft", "hard", "pure", "spring")
    also = [name for name in factors if facts.get(name) not in (None, _NEUTRAL.get(name, 0))]
    if also:
        raise UnknownWord(f"unit is the whole stake of one pair, and {', '.join(also)} would multiply it")
    key = {"room.unit": "room_unit", "room.rate": "room_rate"}.get(str(rules.stake_unit), "bid")
    return {"bid": 1, key: facts["unit"]}


def _room(facts: Words) -> dict[str, Any]:
    low, high = facts.get("room", (None, None))
    found = {"room_low": low, "room_high": high, "room_fee": facts.get("A")}
    found["room_double_threshold"] = facts.get("room_threshold")
    rate = facts.get("N", facts.get("bean_rate"))
    return found if rate is None else found | {"room_rate": rate}


def _said(facts: Words, seat: int) -> dict[str, Any]:
    """What a seat did beside playing, and what it has."""
    openings = [opening for opening in facts.get("open", []) if opening["seat"] == seat]
    found: dict[str, Any] = {
        "doubled": 4
        if seat in facts.get("super_doubles", [])
        else 2
        if seat in facts.get("doubles", [])
        else None,
        "kicked": seat in facts.get("kicks", []),
        "balance": facts.get("table", facts.get("beans", (None,) * 3))[seat],
    }
    for opening in openings:
        only(opening, {"seat", "stage", "multiplier", "dealt"}, "open")
        if opening["stage"] not in _STAGES or len(openings) > 1:
            raise UnknownWord(f"openings {openings}")
        found["open_stage"] = _STAGES[opening["stage"]]
        found |= {"open_value": opening.get("multiplier"), "open_dealt": opening.get("dealt")}
    return found


def _autoplay(facts: Words, seat: int) -> dict[str, Any]:
    """A seat's autoplay; of one in `autoplay_started_with` alone it is known only that there was some."""
    began = facts.get("autoplay_started_with", {}).get(str(seat))
    fled = seat == (facts.get("escape") or {}).get("seat")
    at_end = seat in facts.get("autoplay_at_end", []) or fled
    ever = at_end or began is not None or seat in facts.get("autoplay_cancelled", [])
    if seat in facts.get("autoplay_cancelled", []) and at_end:
        raise UnknownWord(f"autoplay of seat {seat} cancelled and not")
    cards = _MANY_CARDS if began is None else began
    return {
        "autoplay": at_end,
        "autoplay_cards": cards if at_end else None,
        "autoplay_ever": ever,
        "autoplay_most_cards": cards if ever else None,
        "cards_left": facts.get("cards_left_at_end", {}).get(str(seat), 0 if seat == _winner(facts) else 5),
    }
