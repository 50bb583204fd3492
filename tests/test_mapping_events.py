"""Streams of events as hands: copies, games that follow each other or are interleaved, and precise faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.hands import ACTS
from ddz_analytics.ingest.summary import Counts
from ddz_analytics.mapping import games
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.store import open_store
from ddz_analytics.store.catalog import connect
from tests.mapped import PLAYED, PLAYERS, SCORES
from tests.stores import column, take

MAPPING = """
format = "events"
name = "told"
bottom_in_hand = true

[stream]
kind = "type"
group = "msg.room"
recipients = ["to"]
ignore = ["chat"]

[constants]
rules = "jj-classic"
outcome = "complete"

[on.start]
opens = true
hand = { id = "msg.id", table = "msg.room" }
each = "msg.users"
seats = { player = "name", balance = "coins" }

[on.deal]
player = "msg.who"
seats = { dealt = "msg.cards" }

[on.callPoints]
act = "bid"
player = "msg.who"
value = "msg.points"

[on.lord]
hand = { landlord = "msg.who", bottom = "msg.cards" }

[on.play]
act = "turn"
player = "msg.who"
cards = "msg.cards"

[on.trust]
act = { column = "msg.on", codes = { true = { act = "autoplay", value = 1 }, false = { act = "autoplay", value = 0 } } }
player = "msg.who"

[on.over]
closes = true
hand = { "recorded.multiplier" = "msg.multiple" }
each = "msg.bills"
each_seat = { column = "who", by = "player" }
seats = { score = "win" }

[cards]
numbers = { within = "rank", suits = "SHCD" }
"""
RANKS = "3456789TJQKA2BR"
Event = dict[str, Any]
DEALT = ("33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA222")


class Cards:
    """The numbers of the cards: of each rank the first that was not given."""

    def __init__(self) -> None:
        self.given = dict.fromkeys(RANKS, 0)

    def deal(self, ranks: str) -> list[int]:
        """The numbers of some ranks."""
        found = []
        for rank in ranks:
            place = 53 if rank == "R" else 4 * RANKS.index(rank) + self.given[rank]
            self.given[rank] += 1
            found.append(place)
        return found


def events(gid: str = "g1", room: str = "r1") -> list[Event]:
    """The events of the game of `tests.mapped`, each once; the landlord's hand is told with the bottom cards."""
    dealing, playing = Cards(), Cards()
    hands = [dealing.deal(ranks) for ranks in DEALT]
    bottom = dealing.deal("2BR")
    hands[0] += bottom
    playing.given["2"] = 3  # the landlord's 2 is the bottom card
    users = [{"name": name, "coins": 1000} for name in PLAYERS]
    found: list[tuple[str, Event]] = [("start", {"id": gid, "users": users})]
    found += [("deal", {"who": name, "cards": hand}) for name, hand in zip(PLAYERS, hands, strict=True)]
    found += [("callPoints", {"who": "ann", "points": 3}), ("lord", {"who": "ann", "cards": bottom})]
    for cards in PLAYED:
        played = [("ann", playing.deal(cards)), ("bo", []), ("cy", [])]
        found += [("play", {"who": who, "cards": numbers}) for who, numbers in played]
    bills = [{"who": name, "win": score} for name, score in zip(PLAYERS, SCORES, strict=True)]
    found = [*found[:-2], ("over", {"multiple": 64, "bills": bills[::-1]})]
    return [{"type": kind, "msg": {"room": room, **told}} for kind, told in found]


def lines(found: Sequence[object]) -> bytes:
    """JSON, a line each."""
    return b"".join(json.dumps(each).encode() + b"\n" for each in found)


def copies(found: Sequence[Event]) -> list[Event]:
    """Every event as it comes to three players, one after the other."""
    return [{"to": seat, **event} for event in found for seat in range(3)]


def copies_by_player(found: Sequence[Event]) -> list[Event]:
    """The same, one player's events after the other's."""
    return [{"to": seat, **event} for seat in range(3) for event in found]


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., tuple[int, int, int, int]]:
    """Ingests some bytes by a mapping into the store `store`."""

    def reading(data: bytes, mapping: str = MAPPING, **options: Any) -> tuple[int, int, int, int]:
        (tmp_path / "mapping.toml").write_text(mapping, "utf-8")
        (tmp_path / "log").write_bytes(data)
        total = take(tmp_path / "store", tmp_path / "log", mapping=tmp_path / "mapping.toml", **options).total
        return total.stored, total.duplicate, total.rejected, total.skipped

    return reading


def refused(folder: Path) -> list[tuple[int, str]]:
    rows = open_store(folder / "store").read("rejected", ["line", "code"]).to_pylist()
    return [(row["line"], row["code"]) for row in rows]


def test_a_game_out_of_events(read: Callable[..., object], tmp_path: Path) -> None:
    """What the events of a game tell is a hand with its place, players, balances, acts and recorded scores."""
    assert read(lines(events())) == (1, 0, 0, 0)
    (hand,) = open_store(tmp_path / "store").read("hands").to_pylist()
    assert (hand["source_hand_id"], hand["table_id"], hand["source_line"]) == ("g1", "r1", 1)
    assert [hand[f"player_{seat}"] for seat in range(3)] == list(PLAYERS)
    assert [hand[f"recorded_score_{seat}"] for seat in range(3)] == list(SCORES)
    assert [ACTS[act["act"]] for act in hand["actions"]] == ["bid", "play", *["pass", "pass", "play"] * 6]
    rescore(tmp_path / "store", [load_rules("jj-classic")])
    with connect(tmp_path / "store") as connection:
        assert set(connection.sql("SELECT verdict FROM reconciliation").fetchall()) == {("exact",)}


@pytest.mark.parametrize("copied", [copies, copies_by_player])
def test_copies_count_once(
    read: Callable[..., object], tmp_path: Path, copied: Callable[[Sequence[Event]], list[Event]]
) -> None:
    """An event that several were told is one, and the same pass twice in a game is two."""
    by_id = MAPPING.replace('group = "msg.room"', 'game = "msg.id"')
    told = [{**event, "msg": {**event["msg"], "id": "g1"}} for event in events()]
    assert read(lines(copied(told)), by_id) == (1, 0, 0, 0)
    assert column(tmp_path / "store", "facts", "replay_status") == ["ok"]


@pytest.mark.parametrize(
    "written",
    [
        lines,
        lambda found: json.dumps(found).encode(),
        lambda found: json.dumps(found, indent=1).encode(),
        lambda found: b"[\n" + b",\n".join(json.dumps(each).encode() for each in found) + b"\n]\n",
        lambda found: lines([found[:5], found[5:]]),
    ],
)
def test_lists_and_lines(read: Callable[..., object], tmp_path: Path, written: Callable[..., bytes]) -> None:
    """Events are read from lines, lists of one or many lines, and one document."""
    assert read(written(copies(events("g1") + events("g2")))) == (2, 0, 0, 0)
    assert column(tmp_path / "store", "facts", "replay_status") == ["ok", "ok"]


def test_rooms_at_the_same_time(
    read: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games of several rooms may be interleaved, and closed ones do not wait for ever."""
    monkeypatch.setattr(games, "LINGERING", 2)
    rooms = [events(f"g{number}", f"r{number}") for number in range(5)]
    mixed = [event for step in zip(*rooms, strict=True) for event in step]
    assert read(lines(copies(mixed))) == (5, 0, 0, 0)
    assert set(column(tmp_path / "store", "facts", "replay_status")) == {"ok"}


def test_games_one_after_the_other(read: Callable[..., object], tmp_path: Path) -> None:
    """A game that no event closed ends where the next one opens; it has the outcome that the mapping names, or is rejected."""
    cut = events("g1")[:12]
    without = MAPPING.replace('outcome = "complete"\n', "").replace(
        "closes = true", 'closes = true\noutcome = "complete"'
    )
    assert read(lines(copies(cut + events("g2"))), without) == (1, 0, 1, 0)
    assert refused(tmp_path) == [(1, "missing_field")]
    unfinished = without.replace('kind = "type"', 'kind = "type"\nwithout_end = "unfinished"')
    assert read(lines(copies(cut + events("g2"))), unfinished) == (2, 0, 0, 0)
    assert column(tmp_path / "store", "hands", "outcome") == ["unfinished", "complete"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda found: [*found[:9], {"type": "dance", "msg": {"room": "r1"}}, *found[9:]], "out_of_range"),
        (lambda found: [*found[:9], {"type": "chat", "msg": {"room": "r1"}}, *found[9:]], ""),
        (lambda found: [*found[:4], *found[5:]], ""),
        (lambda found: [*found[:3], *found[4:]], "missing_field"),
        (lambda found: [found[0], *found[2:]], "missing_field"),
        (lambda found: [*found, {"type": "lord", "msg": {"room": "r1", "who": "bo"}}], "repeated_row"),
        (lambda found: [*found, {"type": "play", "msg": {"room": "r1", "who": "dee", "cards": []}}], "out_of_range"),
        (lambda found: [*found, {"type": "play", "msg": {"room": "r1", "cards": []}}], "missing_field"),
        (lambda found: [*found, {"type": "play", "msg": {"room": "r1", "who": "bo", "cards": [99]}}], "bad_cards"),
        (lambda found: [*found, {"type": "callPoints", "msg": {"room": "r1", "who": "bo", "points": [3]}}], "wrong_type"),
        (lambda found: [*found, {"type": "trust", "msg": {"room": "r1", "who": "bo", "on": 1}}], "out_of_range"),
        (lambda found: [*found, {"type": "over", "msg": {"room": "r1", "multiple": 64}}], "missing_field"),
    ],
)  # fmt: skip
def test_faults_of_a_game(
    read: Callable[..., object], tmp_path: Path, change: Callable[[list[Event]], list[Event]], code: str
) -> None:
    """What does not fit rejects its game, with a code and with the bytes of its events, and no other game."""
    data = lines(change(events("g1")))
    assert read(data + lines(events("g2"))) == ((2, 0, 0, 0) if not code else (1, 0, 1, 0))
    if code:
        assert refused(tmp_path) == [(1, code)]
        assert column(tmp_path / "store", "rejected", "raw") == [data]


def test_what_is_no_event(read: Callable[..., object], tmp_path: Path) -> None:
    """A line that is no JSON or no event, and an event of no game, are rejected, each with its line."""
    stray = {"type": "play", "msg": {"room": "r7", "who": "bo", "cards": []}}
    data = lines([stray, 7, {"msg": {}}]) + b'{"type":\n' + lines(events())
    assert read(data) == (1, 0, 4, 0)
    assert refused(tmp_path) == [(1, "orphan_row"), (2, "wrong_type"), (3, "wrong_type"), (4, "truncated")]


def test_grown_stream(read: Callable[..., object], tmp_path: Path) -> None:
    """A stream that grew is read again, and what is the same is a duplicate."""
    assert read(lines(events("g1"))) == (1, 0, 0, 0)
    assert read(lines(events("g1"))) == (0, 0, 0, 0)
    assert read(lines(events("g1") + events("g2"))) == (1, 1, 0, 0)


def test_dry_run_of_events(tmp_path: Path) -> None:
    """A dry run shows what the paths of the first games became."""
    (tmp_path / "mapping.toml").write_text(MAPPING, "utf-8")
    (tmp_path / "log").write_bytes(lines(events()))
    summary = take(tmp_path / "store", tmp_path / "log", mapping=tmp_path / "mapping.toml", dry_run=True)
    (hand,) = summary.shown
    assert ("callPoints.msg.points", "3", "value", "3") in hand.columns
    assert ("play.msg.cards", "[]", "cards", "") in hand.columns
    assert summary.total == Counts(read=1, stored=1)
