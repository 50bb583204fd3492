"""`botzone-ftl1`: games of Botzone's older FightTheLandlord, one JSON array each.

The first element is the deal, then each play, and the last play has the scores beside it. Seat 0 is landlord without an
auction and holds the bottom cards from the start. Scores are on a scale of their own (`botzone-v1`). Where a player answers
what he may not, the judge ends the game: the last element has `errorInfo` and names the player beside an empty action that
is no pass, so it is kept apart and the hand is unfinished.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from msgspec import UNSET, Struct, UnsetType, field

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import LARGEST_AMOUNT, Action, Hand, Recorded
from ddz_analytics.parsers.base import Parsed, Source, load_json, read_each, shaped
from ddz_analytics.parsers.botzone_cards import DIALECT, Card, cards_text, check_sizes, refuse_other_modes
from ddz_analytics.parsers.botzone_documents import documents
from ddz_analytics.parsers.botzone_log import Event

DECIMALS = 4
_BEGINS = re.compile(rb'^[ \t]*\[\s*\{\s*"(?:allocation|publiccard)"', re.MULTILINE)
_NOISE = 1e-9  # by which a sum of binary fractions may be off


class Opening(Struct, forbid_unknown_fields=True):
    """The deal: the landlord's twenty cards, the peasants' seventeen each, and which are the bottom cards."""

    allocation: tuple[list[Card], list[Card], list[Card]]
    publiccard: list[Card]


class Step(Struct, forbid_unknown_fields=True):
    """A play (no cards is a pass), in the last element with the scores of the seats, and why the game ended if by an error."""

    event: Event | UnsetType = UNSET
    first: float | UnsetType = field(name="0", default=UNSET)
    second: float | UnsetType = field(name="1", default=UNSET)
    third: float | UnsetType = field(name="2", default=UNSET)
    error: Any = field(name="errorInfo", default=UNSET)

    @property
    def ends(self) -> bool:
        """Whether nothing may come after this."""
        return any(said is not UNSET for said in (self.first, self.second, self.third, self.error))


class BotzoneFtl1:
    """The parser of `botzone-ftl1`."""

    name = "botzone-ftl1"
    version = 1
    records: frozenset[str] = frozenset()
    ids_are_global = False
    switches: Mapping[str, bool] = DIALECT
    reference_rules: str | None = None
    by_line = False

    def sniff(self, head: bytes) -> float:
        """Nearly certain of an array, on a line or several, that begins with a deal."""
        return 0.9 if _BEGINS.search(head) else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or one rejection for each array."""
        return read_each(documents(stream, source, b"[", _is_game), _game)


def _game(_: int, raw: bytes) -> Hand:
    return _hand(shaped(load_json(raw), list[dict[str, Any]]), raw)


def _is_game(document: Any) -> bool:
    return (
        isinstance(document, list)
        and bool(document)
        and isinstance(document[0], dict)
        and "allocation" in document[0]
    )


def _hand(elements: list[dict[str, Any]], raw: bytes) -> Hand:
    if not elements:
        raise BadRecord("missing_field", "an empty array has no deal - at `$`")
    dealt, bottom = _deal(elements[0])
    steps = [shaped(element, Step, f"$[{place}]") for place, element in enumerate(elements[1:], 1)]
    for place, step in enumerate(steps[:-1], 1):
        if step.ends:
            raise BadRecord("out_of_range", f"the game goes on after its end - at `$[{place + 1}]`")
    last = steps[-1] if steps else Step()
    scores, failed = _scores(last, f"$[{len(steps)}]"), last.error is not UNSET
    return Hand(
        format="ddz/1",
        id="sha256-" + hashlib.sha256(raw).hexdigest()[:16],
        players=("seat0", "seat1", "seat2"),
        dealt=dealt,
        bottom=bottom,
        landlord=0,
        actions=[_action(step, f"$[{place}]") for place, step in enumerate(steps, 1) if step.error is UNSET],
        outcome="unfinished" if failed or scores is UNSET else "complete",
        recorded=Recorded(scores=scores),
        extra=_failure(last) if failed else UNSET,
    )


def _deal(stated: dict[str, Any]) -> tuple[tuple[str, str, str], str]:
    """The hands as dealt and the bottom cards, which the landlord's hand must hold; raises `BadRecord`."""
    refuse_other_modes(stated.get("allocation"))
    deal = shaped(stated, Opening, "$[0]")
    landlord, down, up = deal.allocation
    check_sizes([*map(len, deal.allocation), len(deal.publiccard)], landlord_has_bottom=True)
    own = set(landlord).difference(deal.publiccard)
    if len(own) != 17 or not set(deal.publiccard) <= set(landlord):
        detail = "the bottom cards are not three different ones of the landlord's - at `$[0].publiccard`"
        raise BadRecord("deck", detail)
    return (cards_text(own), cards_text(down), cards_text(up)), cards_text(deal.publiccard)


def _action(step: Step, where: str) -> Action:
    if step.event is UNSET:
        raise BadRecord("missing_field", f"an element has an `event` - at `{where}`")
    seat, cards = step.event.player, step.event.action
    return Action(seat=seat, act="play", cards=cards_text(cards)) if cards else Action(seat=seat, act="pass")


def _failure(last: Step) -> dict[str, Any]:
    """What the judge said of the answer that ended the game, and whose it was."""
    found = {"_errorInfo": last.error}
    return found if last.event is UNSET else found | {"_seat": last.event.player}


def _scores(last: Step, where: str) -> tuple[int | str, int | str, int | str] | UnsetType:
    """The scores of all three seats; raises `BadRecord` where only some are there."""
    if not last.ends:
        return UNSET
    if last.first is UNSET or last.second is UNSET or last.third is UNSET:
        raise BadRecord("missing_field", f"the last element has the scores `0`, `1` and `2` - at `{where}`")
    return _amount(last.first, where), _amount(last.second, where), _amount(last.third, where)


def _amount(score: float, where: str) -> int | str:
    """A score as an amount: the fraction of at most four decimals that its binary fraction stands for."""
    near = round(score, DECIMALS)
    if not (abs(score - near) < _NOISE and abs(near) <= LARGEST_AMOUNT):
        raise BadRecord("out_of_range", f"a score of {score} is no amount - at `{where}`")
    return int(near) if near.is_integer() else f"{near:.{DECIMALS}f}".rstrip("0")
