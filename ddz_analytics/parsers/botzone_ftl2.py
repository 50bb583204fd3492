"""`botzone-ftl2`: matches of Botzone's FightTheLandlord2, in each container in which people have them.

A match pack has one match per line; the site's short answer and a local file are one document, of one line or several.
What counted is read from the judge's displays, never from the players' answers: the judge replaces an illegal answer by a
pass (or a forced smallest card) and from then on plays for that seat. Such an act has `actor` judge, with what was `sent`,
or timeout when the verdict says so. The landlord, the final bid and the score are the judge's words, whatever its own bids
and plays would make of them. A log without `finish` is an unfinished hand; an answer that no judge entry follows did not
count and is kept as `_unanswered`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from msgspec import UNSET, UnsetType

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS, Hand, Outcome, Recorded, Skipped
from ddz_analytics.parsers.base import (
    UNNAMED,
    Parsed,
    Source,
    has_object_with,
    load_json,
    read_each,
    shaped,
)
from ddz_analytics.parsers.botzone_acts import actions
from ddz_analytics.parsers.botzone_cards import DIALECT, cards_text, check_sizes, refuse_other_modes
from ddz_analytics.parsers.botzone_documents import documents
from ddz_analytics.parsers.botzone_log import (
    Deal,
    Log,
    Scores,
    SeatScores,
    read_displays,
    read_log,
)

GAME = "FightTheLandlord2"


class BotzoneFtl2:
    """The parser of `botzone-ftl2`."""

    name = "botzone-ftl2"
    version = 2
    records = frozenset(("auction", "autoplay"))
    ids_are_global = True
    switches: Mapping[str, bool] = DIALECT
    reference_rules: str | None = "qq-classic"
    by_line = False

    def sniff(self, head: bytes) -> float:
        """Nearly certain of an object, on one line or several, with public cards and either the game's name or bids."""
        if not head.lstrip().startswith(b"{") and not has_object_with(head, b"publiccard"):
            return 0.0
        return 0.9 if b"publiccard" in head and (GAME.encode() in head or b'"bid"' in head) else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand, rejection or skipped record for each match."""
        return read_each(documents(stream, source, b"{", _is_match), _match)


def _match(line: int, raw: bytes) -> Hand | Skipped:
    try:
        document = shaped(load_json(raw), dict[str, Any])
        if "log" not in document and document.get("success") is False:
            return Skipped(line, "an answer of the site that has no match")
        return _hand(document, raw)
    except RecursionError:
        raise BadRecord("bad_json", "nested too deeply") from None


def _is_match(document: Any) -> bool:
    return isinstance(document, dict) and ("log" in document or "logs" in document)


def _hand(document: dict[str, Any], raw: bytes) -> Hand:
    game = document.get("game", GAME)
    if game != GAME:
        raise BadRecord("unsupported_mode", f"a match of {str(game)[:40]!r}, not of {GAME}")
    log = _log(document)
    deal = _deal(document, log)
    said = _scores(document)
    extra = log.remarks()
    if said is not UNSET and log.scores is not UNSET and said != log.scores:
        extra["_scores"] = said
    return Hand(
        format="ddz/1",
        id=_id(document, raw),
        players=_players(document),
        kinds=_kinds(document),
        dealt=(
            cards_text(deal.allocation[0]),
            cards_text(deal.allocation[1]),
            cards_text(deal.allocation[2]),
        ),
        bottom=cards_text(deal.publiccard),
        landlord=log.landlord,
        actions=actions(log),
        outcome=_outcome(log),
        recorded=Recorded(scores=said if log.scores is UNSET else log.scores, bid=log.final_bid),
        extra=extra or UNSET,
    )


def _log(document: dict[str, Any]) -> Log:
    if "log" in document:
        return read_log(shaped(document["log"], list[Any], "$.log"))
    if "logs" in document:
        return read_displays(shaped(document["logs"], list[Any], "$.logs"))
    raise BadRecord("missing_field", "a match has `log`, or `logs` in the site's short answer")


def _outcome(log: Log) -> Outcome:
    """Complete when the judge's finish names the last play; not when it stopped because every seat was in error."""
    return "complete" if log.scores is not UNSET and log.went_out else "unfinished"


def _id(document: dict[str, Any], raw: bytes) -> str:
    """The site's id; a container without one is named by its content."""
    given = shaped(document.get("_id", ""), str, "$._id")
    return given or "sha256-" + hashlib.sha256(raw).hexdigest()[:16]


def _deal(document: dict[str, Any], log: Log) -> Deal:
    """The deal that the record states, as an object or as its JSON text, else the one in the judge's own words."""
    stated = _initdata(document.get("initdata"))
    if "allocation" not in stated:
        stated = log.stated_deal
    if not stated:
        raise BadRecord("missing_field", "neither `initdata` nor the log states the deal")
    refuse_other_modes(stated.get("allocation"))
    deal = shaped(stated, Deal, "$.initdata")
    check_sizes([*map(len, deal.allocation), len(deal.publiccard)])
    return deal


def _initdata(stated: Any) -> dict[str, Any]:
    """What a match was begun with; the judge takes no notice of a text that is no JSON object, and no more does this."""
    if isinstance(stated, str):
        try:
            stated = load_json(stated.encode())
        except BadRecord:
            return {}
    return stated if isinstance(stated, dict) else {}


def _scores(document: dict[str, Any]) -> Scores | UnsetType:
    """The scores that the container repeats beside the log."""
    if document.get("scores") is None:
        return UNSET
    return shaped(document["scores"], SeatScores, "$.scores").in_order()


def _seats(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What the record says of the three players; nothing, where it does not name them."""
    players = shaped(document.get("players", [{}, {}, {}]), list[dict[str, Any]], "$.players")
    if len(players) != SEATS:
        code = "unsupported_mode" if len(players) > SEATS else "out_of_range"
        raise BadRecord(code, f"{len(players)} players, not three - at `$.players`")
    return players


def _players(document: dict[str, Any]) -> tuple[str, str, str]:
    first, second, third = (_player(player, seat) for seat, player in enumerate(_seats(document)))
    return first, second, third


def _player(player: dict[str, Any], seat: int) -> str:
    """The id of the bot or the user, or the name that the site gives instead."""
    named = player.get("bot") or player.get("user")
    if isinstance(named, dict):
        named = named.get("_id") or named.get("name")
    return named if isinstance(named, str) and named else UNNAMED[seat]


def _kinds(document: dict[str, Any]) -> tuple[str, str, str] | UnsetType:
    kinds = [player.get("type") for player in _seats(document)]
    if not all(isinstance(kind, str) for kind in kinds):
        return UNSET
    return str(kinds[0]), str(kinds[1]), str(kinds[2])
