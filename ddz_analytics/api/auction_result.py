"""What an auction came to, for those who call it: who is landlord, at which bid, who may still act, and every fault.

Sources: qq Q2, Q3; jj J3–J6, J8; casino C2–C6, C35–C39; happy H2–H14.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from msgspec import to_builtins

from ddz_analytics.api.declared import exact_amount
from ddz_analytics.auction_state import PRELUDE, SPOKEN, Auction, Deal, Fault, Said, offers
from ddz_analytics.autoplay import Autoplay, Ending, Watched, follow_autoplay
from ddz_analytics.batches.batch import NOBODY
from ddz_analytics.bidding import hold_auction, landlord_by_rules, may_kick, opening_multiplier
from ddz_analytics.errors import BadRecord, UsageError
from ddz_analytics.flatten import Faults, FlatActions
from ddz_analytics.hands import ACTORS, ACTS, SCALE, SEATS, STAGES, Action, Hand
from ddz_analytics.parsers.base import shaped
from ddz_analytics.play import DEALT, Acted
from ddz_analytics.rules import RuleSet, load_rules

Amount = int | str | Decimal
Act = Action | Mapping[str, object] | tuple[object, ...]

_HEARD = (*PRELUDE, "autoplay", "disconnect", "reconnect")
_SHORT = ("seat", "act", "value")
_FORCED_BID = Decimal(1)


@dataclass(frozen=True)
class AuctionResult:
    """How an auction stands after some acts; seats are 0 to 2, places count from 0 in the acts given.

    `bid` is the highest bid so far, after a rob the room's high, and 1 for a landlord whom nobody's bid made landlord;
    None under call and rob, and before anybody bids. `forced` is `starter` or `first_opener` for such a landlord.
    `may_speak` are the seats that may still bid, call or rob, the next one first. `skipped` are those that have lost that
    chance: under call and rob who declined to call, else who was not reached before the auction ended.
    `autoplay` are the seats that are on autoplay at the end of these acts. `doubled` is what each seat answered (1, 2 or 4).
    """

    kind: str
    landlord: int | None
    bid: Decimal | None
    over: bool
    redeal: bool
    forced: str | None
    raises: int
    robs: int
    rob_multiplier: int
    may_speak: tuple[int, ...]
    skipped: tuple[int, ...]
    first_opener: int | None
    opened: tuple[int, ...]
    open_multiplier: int
    eligible_kickers: tuple[int, ...]
    kicked: tuple[int, ...]
    doubled: tuple[int | None, ...]
    autoplay: tuple[int, ...]
    faults: tuple[Fault, ...]
    notes: tuple[Fault, ...]

    @property
    def legal(self) -> bool:
        """Whether every act is one that the rules allow there."""
        return not self.faults

    @property
    def illegal_at(self) -> int | None:
        """The place of the first act that the rules do not allow; None also where only the whole is at fault."""
        return next((fault.action_index for fault in self.faults if fault.action_index is not None), None)

    @property
    def next_to_speak(self) -> int | None:
        """Whose turn it is; None when the auction is over, or who begins is not known."""
        return self.may_speak[0] if self.may_speak else None

    @property
    def actions_left(self) -> int:
        """How many seats may still speak, if nobody ends the auction before them."""
        return len(self.may_speak)


def auction(
    actions: Sequence[Act],
    rules: RuleSet | str,
    *,
    first: int | None = None,
    landlord: int | None = None,
    room: tuple[Amount, Amount] | None = None,
) -> AuctionResult:
    """Hold an auction under a rule set (or the spec of one), with the openings, doubles and kicks that go with it.

    `actions` are those of `ddz/1` before the first play, in order: `Action`s, mappings, or (seat, act) and (seat, act, value).
    `first`: who speaks first by lot or turn; under call and rob the first who opened his hand comes before him (happy H4).
    `landlord`: whom the log names; None: whom the auction makes landlord. `room`: the two room bids, low and high.
    Acts that break the rules do not raise; they are `faults`. Raises UsageError `seat`, `amount`, `room`, `room_missing`,
    `not_before_play`, or a rejection code of `ddz/1` for an act of the wrong shape.
    """
    chosen = load_rules(rules) if isinstance(rules, str) else rules
    for seat in (first, landlord):
        _check_seat(seat)
    acts = _acts(actions)
    said = [words for _, words in acts if words.act in PRELUDE]
    opener = _first_opener(said) if chosen.auction_kind == "rob" else None
    begins = first if opener is None else opener
    deal = Deal(chosen, begins, landlord, "unfinished", *_room(chosen, room))
    held = hold_auction(said, deal)
    if landlord is None and _is_over(held):
        held = hold_auction(said, deal._replace(landlord=landlord_by_rules(held)))
    return _result(held, chosen, _autoplay([acted for acted, _ in acts], chosen))


def _result(held: Auction, rules: RuleSet, autoplay: Autoplay) -> AuctionResult:
    over, landlord = _is_over(held), held.deal.landlord
    waiting = held.waiting
    if held.silent and held.first is not None:
        waiting = [(held.first + k) % SEATS for k in range(SEATS)]
    opened = [said is not None and (said.stage != "bottom" or said.seat == landlord) for said in held.opened]
    eligible = may_kick(held) if offers(rules, "kick") else [False] * SEATS
    return AuctionResult(
        kind=held.kind,
        landlord=landlord,
        bid=_bid(held),
        over=over,
        redeal=over and landlord is None,
        forced=held.forced,
        raises=held.raises,
        robs=held.robs,
        rob_multiplier=int(rules.auction_rob_factor**held.robs),
        may_speak=tuple(waiting),
        skipped=_seats(_skipped(held, over=over)),
        first_opener=held.first_opener,
        opened=_seats(opened),
        open_multiplier=opening_multiplier(held),
        eligible_kickers=_seats(eligible),
        kicked=_seats([said is not None and bool(said.value) for said in held.kicked]),
        doubled=tuple(held.doubled),
        autoplay=tuple(sorted(episode.seat for episode in autoplay.episodes if episode.running)),
        faults=_in_order(held.faults),
        notes=_in_order([*held.notes, *autoplay.notes]),
    )


def _is_over(held: Auction) -> bool:
    """Whether nobody may speak any more; an auction in which nobody has spoken yet has not begun."""
    return held.over and not held.silent


def _bid(held: Auction) -> Decimal | None:
    if held.bid is not None:
        return Decimal(held.bid) / SCALE
    return _FORCED_BID if held.forced is not None and held.kind != "rob" else None


def _skipped(held: Auction, *, over: bool) -> list[bool]:
    if held.kind == "rob":
        called = held.caller is not None
        return [called and held.declined[seat] and not held.could_rob[seat] for seat in range(SEATS)]
    return [over and not spoke for spoke in held.could_bid]


def _seats(flags: list[bool]) -> tuple[int, ...]:
    return tuple(seat for seat, flag in enumerate(flags) if flag)


def _in_order(faults: list[Fault]) -> tuple[Fault, ...]:
    """By place, those of the whole auction last."""
    return tuple(sorted(faults, key=lambda fault: (fault.action_index is None, fault.action_index or 0)))


def _autoplay(acts: list[Acted], rules: RuleSet) -> Autoplay:
    """Who went on autoplay before the first card, when every seat held the cards dealt."""
    watched = [Watched(index, acted, DEALT) for index, acted in enumerate(acts)]
    return follow_autoplay(watched, Ending(None, len(acts), [DEALT] * SEATS), rules, complete=False)


def _first_opener(said: list[Said]) -> int | None:
    """Who opened his hand first, before anybody spoke."""
    for act in said:
        if act.act in SPOKEN:
            return None
        if act.act == "open" and act.stage != "bottom":
            return act.seat
    return None


def _room(rules: RuleSet, room: tuple[Amount, Amount] | None) -> tuple[int | None, int | None]:
    if room is None:
        if rules.auction_kind == "room":
            raise UsageError(
                "room_missing", "bids of a room cannot be judged without it", mend="give room=(low, high)"
            )
        return None, None
    low, high = exact_amount(room[0]), exact_amount(room[1])
    if not 0 < low <= high:
        raise UsageError("room", f"{room} is no low and high bid", mend="give room=(low, high)")
    return low, high


def _check_seat(seat: int | None) -> None:
    if seat is not None and (isinstance(seat, bool) or seat not in range(SEATS)):
        raise UsageError("seat", f"{seat!r} is no seat", mend="seats are 0, 1 and 2")


def _acts(actions: Sequence[Act]) -> list[tuple[Acted, Said]]:
    """The acts as autoplay and as the auction read them, checked as in a log."""
    try:
        given = [_action(place, act) for place, act in enumerate(actions)]
    except BadRecord as wrong:
        raise UsageError(wrong.code, wrong.detail) from wrong
    for place, action in enumerate(given):
        if action.act not in _HEARD:
            raise UsageError(
                "not_before_play", f"`{action.act}` is no act before the play", where=f"actions[{place}]"
            )
    faults: Faults = {}
    flat = FlatActions([_hand_of(given)], faults)
    for fault in faults.values():
        raise UsageError(fault.code, fault.detail)
    columns = {name: column.to_pylist() for name, column in flat.columns.items()}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [(_acted(row), _said(row, place)) for place, row in enumerate(rows)]


def _action(place: int, act: Act) -> Action:
    where = f"actions[{place}]"
    if isinstance(act, Action):
        return shaped(to_builtins(act), Action, where)
    if isinstance(act, Mapping):
        return shaped(dict(act), Action, where)
    if isinstance(act, tuple | list) and len(act) in (2, 3):
        return shaped(dict(zip(_SHORT, act, strict=False)), Action, where)
    raise BadRecord("wrong_type", f"{act!r} is no act - at `{where}`")


def _hand_of(actions: list[Action]) -> Hand:
    """A hand of which only the acts are looked at."""
    return Hand("ddz/1", "auction", ("", "", ""), ("", "", ""), "", None, actions, "unfinished")


def _acted(row: dict[str, Any]) -> Acted:
    """A row of flat columns as replay has it: numbers that are not said are -1."""
    value, ms = (NOBODY if row[name] is None else row[name] for name in ("value", "ms"))
    actor = None if row["actor"] is None else ACTORS[row["actor"]]
    return Acted(row["seat"], ACTS[row["act"]], 0, value, actor, ms, None)


def _said(row: dict[str, Any], place: int) -> Said:
    stage = None if row["stage"] is None else STAGES[row["stage"]]
    return Said(row["seat"], ACTS[row["act"]], row["value"], stage, row["dealt"], place)
