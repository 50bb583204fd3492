"""The course of a hand as frames: the deal, each act, the bottom cards taken up, and the end.

Each frame says what is on the table and in the hands after it. Nothing is judged here: readings, tricks, faults and autoplay are
those that replay found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, structs

from ddz_analytics.auction_state import SPOKEN
from ddz_analytics.explain.explained import Heading, heading_of
from ddz_analytics.explain.record import Act, Record
from ddz_analytics.hands import SEATS
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.settlement.events import landlord_won, somebody_won, springs
from ddz_analytics.viewer.laid import in_hand, on_table, together, without

PASS = "pass"
TURNS = ("play", PASS)
Texts = tuple[str | None, ...]
Kind = Literal["deal", "act", "bottom", "end"]


class Mark(Struct, frozen=True):
    """Autoplay of a seat begins or ends at a frame, with so many cards in hand; `reason` as in `autoplay_episodes`."""

    seat: int
    what: Literal["begins", "ends"]
    reason: str
    cards: int


class Issue(Struct, frozen=True):
    """A fault or a note of the replay."""

    code: str
    severity: str
    seat: int | None
    detail: str | None


class Frame(Struct, frozen=True):
    """The hand after one thing that happened; what is told by seat has three places, None where the log does not tell it.

    `cards`: those of a play, or the bottom cards taken up. `trick` is counted from 1. `held`: card text. `left`: how many cards.
    `table`: what each seat did last in the trick, card text or `pass`. `on_autoplay`: by seat.
    """

    kind: Kind
    held: Texts
    left: tuple[int | None, ...]
    table: Texts
    on_autoplay: tuple[bool, ...]
    act: Act | None = None
    seat: int | None = None
    cards: str | None = None
    trick: int | None = None
    marks: tuple[Mark, ...] = ()
    issues: tuple[Issue, ...] = ()


class Course(Struct, frozen=True):
    """A hand to look at: how it is headed, its bottom cards, how it ended (keys of texts), and its frames."""

    heading: Heading
    suited: bool
    bottom: str | None
    ending: tuple[str, ...]
    frames: list[Frame]

    @property
    def is_told(self) -> bool:
        """Whether cards and acts are known, and not only facts about the hand."""
        return self.heading.evidence == "replayed"

    @property
    def bottom_unknown(self) -> bool:
        """Whether the log tells the landlord's twenty cards and not which of them were the bottom."""
        return self.is_told and self.bottom is None


def course_of(record: Record, player: str | None = None) -> Course:
    """The course of a hand; `player`: the only one who keeps his name, None: all do (raises as `heading_of` does)."""
    walk = _Walk(record)
    mask = record.head["bottom_mask"]
    bottom = None if mask is None else in_hand(mask, suited=walk.suited)
    return Course(
        heading_of(record, player), walk.suited, bottom, tuple(_ending(record)), list(walk.frames())
    )


def decided(acts: list[Act]) -> int:
    """How many acts come before the landlord takes up the bottom cards."""
    first = next((place for place, act in enumerate(acts) if act.act in TURNS), len(acts))
    early = [
        place
        for place, act in enumerate(acts[:first])
        if act.act in SPOKEN or (act.act == "open" and act.stage != "bottom")
    ]
    return early[-1] + 1 if early else 0


def _ending(record: Record) -> Iterator[str]:
    """How a hand ended, in texts: who was out, or why nobody was, spring, and that a fault keeps it from being scored."""
    facts, fact = Facts(record.facts), record.fact
    if not somebody_won(facts)[0]:
        yield f"ends_{fact['outcome']}"
    elif record.head["landlord_seat"] is None:
        yield "out_somebody"
    else:
        yield "out_landlord" if landlord_won(facts)[0] else "out_peasants"
        yield from (
            name for name, found in zip(("spring", "anti_spring"), springs(facts), strict=True) if found[0]
        )
    if fact["replay_status"] == "faulty":
        yield "faulty"


class _Walk:
    """Goes through a hand and keeps what is held and what lies on the table."""

    def __init__(self, record: Record) -> None:
        self.record, self.suited = record, bool(record.head["suited"])
        self.held: list[int | None] = [seat["dealt_mask"] for seat in record.seats]
        self.table: list[str | None] = [None] * SEATS
        self.trick: int | None = None
        self.marks = _marks(record)
        self.on_autoplay = [False] * SEATS
        self.issues: dict[int | None, list[Issue]] = {}
        known = {act.action_index for act in record.acts}
        for row in record.issues:
            place = row["action_index"] if row["action_index"] in known else None
            issue = Issue(row["code"], row["severity"], row["seat"], row["detail"])
            self.issues.setdefault(place, []).append(issue)

    def frames(self) -> Iterator[Frame]:
        """All frames in order. What is said of no act stands at the beginning as a note, at the end as a fault."""
        beside = self.issues.get(None, [])
        landlord, acts = self.record.head["landlord_seat"], self.record.acts
        notes = tuple(issue for issue in beside if issue.severity != "error")
        yield structs.replace(self._frame("deal"), issues=notes)
        taken = (
            decided(acts) if landlord is not None and self.record.head["bottom_mask"] is not None else None
        )
        for place, act in enumerate(acts):
            if place == taken:
                yield self._bottom(landlord)
            yield self._act(act)
        if taken == len(acts):
            yield self._bottom(landlord)
        faults = tuple(issue for issue in beside if issue.severity == "error")
        yield structs.replace(self._frame("end"), issues=faults)

    def _bottom(self, landlord: int) -> Frame:
        bottom, held = self.record.head["bottom_mask"], self.held[landlord]
        self.held[landlord] = None if held is None else together(held, bottom, suited=self.suited)
        cards = in_hand(bottom, suited=self.suited)
        return structs.replace(self._frame("bottom"), seat=landlord, cards=cards)

    def _act(self, act: Act) -> Frame:
        cards = None
        if act.act == "play" and act.cards_mask is not None:
            cards = on_table(act.cards_mask, suited=self.suited)
            self._play(act, act.cards_mask, cards)
        elif act.act == PASS:
            self.table[act.seat] = PASS
        marks = tuple(self.marks.get(act.action_index, ()))
        for mark in marks:
            self.on_autoplay[mark.seat] = mark.what == "begins"
        issues = tuple(self.issues.get(act.action_index, ()))
        told = {"act": act, "seat": act.seat, "cards": cards, "marks": marks, "issues": issues}
        trick = self.trick if act.act in TURNS else None
        return structs.replace(self._frame("act"), trick=trick, **told)

    def _play(self, act: Act, mask: int, cards: str) -> None:
        if act.trick is None:  # not judged: after the end, or played without a landlord
            return
        if act.is_lead:
            self.table = [None] * SEATS
        self.trick = act.trick + 1
        self.table[act.seat] = cards
        held = self.held[act.seat]
        if held is not None:
            self.held[act.seat] = without(held, mask, suited=self.suited)

    def _frame(self, kind: Kind) -> Frame:
        """The hand as it stands now."""
        held = tuple(None if mask is None else in_hand(mask, suited=self.suited) for mask in self.held)
        left = tuple(None if mask is None else mask.bit_count() for mask in self.held)
        return Frame(kind, held, left, tuple(self.table), tuple(self.on_autoplay))


def _marks(record: Record) -> dict[int, list[Mark]]:
    """Where autoplay begins and ends; what still runs in the end does not end."""
    found: dict[int, list[Mark]] = {}
    last = {episode.seat: episode for episode in record.episodes}
    running = {record.seat_of(role) for role in ROLES if record.fact[f"{role}_autoplay"]}
    for episode in record.episodes:
        on = Mark(episode.seat, "begins", episode.reason, episode.cards_at_start)
        found.setdefault(episode.start_index, []).append(on)
        if not (episode.seat in running and last[episode.seat] is episode):
            off = Mark(episode.seat, "ends", episode.reason, episode.cards_at_end)
            found.setdefault(episode.end_index, []).append(off)
    return found
