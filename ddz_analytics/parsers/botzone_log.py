"""The log of a FightTheLandlord2 match: the judge's displays and the players' answers between them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import LARGEST_AMOUNT, SEATS, Seat
from ddz_analytics.parsers.base import shaped
from ddz_analytics.parsers.botzone_cards import Card

Bid = Annotated[int, Meta(ge=0, le=3)]
Points = Annotated[int, Meta(ge=-LARGEST_AMOUNT, le=LARGEST_AMOUNT)]
Scores = tuple[Points, Points, Points]
Verdict = Literal["OK", "TLE", "MLE", "OLE", "RE", "NJ"]  # as the site documents them
Errors = tuple[str | None, str | None, str | None]  # by seat, why the judge plays for it

NO_ERROR: Errors = (None, None, None)


class Deal(Struct):
    """Three hands of 17 and the bottom cards, as card ids."""

    allocation: tuple[list[Card], list[Card], list[Card]]
    publiccard: list[Card]


class Event(Struct):
    """The play before, as the judge let it count; no cards is a pass."""

    player: Seat
    action: list[Card]


class SeatScores(Struct, array_like=True, forbid_unknown_fields=True):
    """The scores of seats 0, 1 and 2."""

    first: Points
    second: Points
    third: Points

    def in_order(self) -> Scores:
        """The three as a tuple."""
        return self.first, self.second, self.third


class Display(Struct):
    """What the judge shows of a moment: bids so far, then landlord and errors, then each play, at last the scores."""

    bid: list[Bid] | UnsetType = UNSET
    landlord: Seat | UnsetType = UNSET
    errored: Errors | UnsetType = UNSET
    event: Event | UnsetType = UNSET
    first: Points | UnsetType = msgspec.field(name="0", default=UNSET)
    second: Points | UnsetType = msgspec.field(name="1", default=UNSET)
    third: Points | UnsetType = msgspec.field(name="2", default=UNSET)

    def scores(self) -> Scores | UnsetType:
        """The scores, where this is the last display."""
        if self.first is UNSET or self.second is UNSET or self.third is UNSET:
            return UNSET
        return self.first, self.second, self.third


class Request(Struct):
    """What the judge asks a seat, of which only the final bid is said nowhere else."""

    finalbid: Bid | UnsetType = UNSET


class Output(Struct):
    """What the judge says: a request to some seats, or the scores by seat."""

    command: Literal["request", "finish"]
    content: dict[str, Any]
    display: Display


class Judged(Struct):
    """What the site says of a program's answer, the judge's own included."""

    verdict: Verdict = "OK"


class Answer(Judged):
    """A player's answer and what the site says of it."""

    response: Any = UNSET


@dataclass(frozen=True)
class Step:
    """A display of the judge and, where the log has them, the answers that it came after."""

    display: Display
    answers: dict[str, Answer] | None


@dataclass
class Log:
    """A log read: the judge's words and the answers between them; `failed` is the verdict of a judge that crashed."""

    steps: list[Step] = field(default_factory=list)
    landlord: int | None = None
    bids: list[int] = field(default_factory=list)
    final_bid: int | UnsetType = UNSET
    scores: Scores | UnsetType = UNSET
    errors: Errors = NO_ERROR
    stated_deal: dict[str, Any] = field(default_factory=dict)
    unanswered: str = ""
    failed: str = ""

    @property
    def went_out(self) -> bool:
        """Whether the last display names a play."""
        return bool(self.steps) and self.steps[-1].display.event is not UNSET

    def add(self, display: Display, answers: dict[str, Answer] | None) -> None:
        """Take one display and what was answered before it; raises `BadRecord` where displays contradict each other."""
        if display.bid is not UNSET:
            if display.bid[: len(self.bids)] != self.bids or len(display.bid) > SEATS:
                raise BadRecord("out_of_range", f"the bids {display.bid} do not go on from {self.bids}")
            self.bids = display.bid
        if display.landlord is not UNSET:
            if self.landlord not in (None, display.landlord):
                raise BadRecord(
                    "out_of_range", f"the landlord is seat {self.landlord}, then seat {display.landlord}"
                )
            self.landlord = display.landlord
        if display.errored is not UNSET:
            self.errors = display.errored
        self.steps.append(Step(display, answers))

    def remarks(self) -> dict[str, object]:
        """What the log says beside: errors by seat, an answer without a judge's word, the verdict of a judge that crashed."""
        found: dict[str, object] = {}
        if any(self.errors):
            found["_errored"] = list(self.errors)
        if self.unanswered:
            found["_unanswered"] = self.unanswered
        if self.failed:
            found["_judge"] = self.failed
        return found


def read_log(entries: list[Any]) -> Log:
    """A log of judge entries (the first, third, …) and player entries; raises `BadRecord`."""
    log = Log()
    answers: dict[str, Answer] | None = {}
    for place in range(0, len(entries), 2):
        where = f"$.log[{place}]"
        if log.failed or log.scores is not UNSET:
            raise BadRecord("out_of_range", f"the log goes on after its end - at `{where}`")
        said = _judge_words(shaped(entries[place], dict[str, Any], where), log, where)
        if said is None:
            continue
        output = shaped(said, Output, where)
        _keep_words(said, output, log)
        log.add(output.display, answers)
        answers = _answers(entries, place + 1)
    if not log.steps:
        raise BadRecord("truncated", "the log has no word of the judge - at `$.log`")
    log.unanswered = _unanswered(entries, log)
    return log


def _unanswered(entries: list[Any], log: Log) -> str:
    """The last answer as JSON, when no display says what became of it: cut off, crashed, or every seat in error."""
    cut = len(entries) % 2 == 0
    stopped = bool(log.failed) or (log.scores is not UNSET and not log.went_out)
    last = entries[-1] if cut else entries[-2] if stopped and len(entries) > 1 else None
    return json.dumps(last, ensure_ascii=False) if last else ""


def read_displays(displays: list[Any]) -> Log:
    """A log of displays only, as in the site's short answer; raises `BadRecord`."""
    log = Log()
    for place, entry in enumerate(displays):
        said = shaped(entry, dict[str, Any], f"$.logs[{place}]")
        if log.scores is not UNSET:
            raise BadRecord("out_of_range", f"the log goes on after its end - at `$.logs[{place}]`")
        display = shaped(said, Display, f"$.logs[{place}]")
        _keep_deal(said, log)
        log.scores = display.scores()
        log.add(display, None)
    if not log.steps:
        raise BadRecord("truncated", "the log has no display - at `$.logs`")
    return log


def _judge_words(entry: dict[str, Any], log: Log, where: str) -> Any:
    """The judge's own object, wrapped by the site or not; None where the judge crashed, which is noted."""
    if "command" in entry:
        return entry
    verdict = shaped(entry, Judged, where).verdict
    if verdict != "OK":
        log.failed = verdict
        return None
    if "output" not in entry:
        raise BadRecord("missing_field", f"an entry of the judge has `output` or `command` - at `{where}`")
    return entry["output"]


def _keep_words(said: Any, output: Output, log: Log) -> None:
    """What the judge's words state beside the display: the deal, the final bid, the scores."""
    _keep_deal(said.get("initdata"), log)
    _keep_deal(said["display"], log)
    if output.command == "finish":
        log.scores = shaped([output.content.get(seat) for seat in "012"], SeatScores, "$.content").in_order()
        return
    for request in output.content.values():
        final = shaped(request, Request, "$.content").finalbid
        log.final_bid = log.final_bid if final is UNSET else final


def _keep_deal(said: Any, log: Log) -> None:
    if not log.stated_deal and isinstance(said, dict) and "allocation" in said:
        log.stated_deal = said


def _answers(entries: list[Any], place: int) -> dict[str, Answer] | None:
    """The answers of a player entry by seat; none where the judge plays for the seat."""
    if place >= len(entries):
        return {}
    answers = shaped(entries[place], dict[str, Answer], f"$.log[{place}]")
    if not answers.keys() <= {"0", "1", "2"}:
        raise BadRecord("out_of_range", f"an answer of no seat - at `$.log[{place}]`")
    return answers
