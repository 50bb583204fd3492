"""A small store made by hand, for the tests of views and queries: six hands whose scores are worked out on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from ddz_analytics import schema
from ddz_analytics.cards import pack
from ddz_analytics.combinations import CODE_OF
from ddz_analytics.hands import ACTORS, ACTS, STAGES
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.assumptions import BIT_OF
from ddz_analytics.store import manifest as entries
from ddz_analytics.store.catalog import Connection
from ddz_analytics.store.manifest import FILE_NAME, Manifest, dump_manifest
from ddz_analytics.store.parts import FOLDER, SCHEMAS, write_part

Row = dict[str, Any]
COMPONENTS = ("transfer", "liability", "balance_cut", "fee", "rake", "fine")
HASH = "0123456789abcdef"
EVENING = datetime(2026, 1, 1, 20, tzinfo=UTC)  # 4 in the morning of the next day in Shanghai


def table(name: str, rows: Sequence[Row]) -> pa.Table:
    """Rows of a stored table; a column that a row does not name is null."""
    wanted = SCHEMAS[name]
    return pa.Table.from_pylist(
        [{column: _cell(wanted, column, row) for column in wanted.names} for row in rows], wanted
    )


def _cell(wanted: pa.Schema, column: str, row: Row) -> Any:
    value = row.get(column)
    is_amount = pa.types.is_decimal(wanted.field(column).type)
    return Decimal(str(value)) if is_amount and value is not None else value


def each(name: str, values: Sequence[Any]) -> Row:
    """Three columns by seat or role, such as `player_{}`."""
    parts = ROLES if name.startswith(("{}", "net", "liable", "double", *COMPONENTS)) else schema.SEAT_NUMBERS
    return {name.format(part): value for part, value in zip(parts, values, strict=True)}


def balances(landlord: Any, down: Any, up: Any) -> Row:
    """What a settlement says that each role had before the hand."""
    return {"balance_landlord": landlord, "balance_down": down, "balance_up": up}


def hand(hand_id: int, landlord: int | None = None, **more: Any) -> Row:
    """A hand of ann, bo and cy in `ddz/1`."""
    return {
        "hand_id": hand_id, "source_hand_id": f"h{hand_id}", "source_format": "ddz/1", "source_path": "log",
        "evidence": "replayed", "table_id": "t1", "landlord_seat": landlord, "suited": False, "outcome": "complete",
        **each("player_{}", ("ann", "bo", "cy")), "actions": [], **more,
    }  # fmt: skip


def facts(hand_id: int, landlord: int | None = None, winner: int | None = None, **more: Any) -> Row:
    """The facts of a hand in which every seat played twice."""
    return {
        "hand_id": hand_id, "evidence": "replayed", "replay_status": "ok", "outcome": "complete",
        "landlord_seat": landlord, "winner_seat": winner, "bombs": 0, "rockets": 0, "soft_bombs": 0, "hard_bombs": 0,
        "pure_bombs": 0, **each("{}_plays", (2, 2, 2)), **more,
    }  # fmt: skip


def settlement(hand_id: int, rule_set: str, net: Sequence[Any] | None, **more: Any) -> Row:
    """An exact settlement with these nets by role; components that are not given are zero, `net` None is undefined."""
    head = {"scenario": "recorded", "rule_set": rule_set, "rule_hash": HASH, "hand_id": hand_id, "assumed": 0}
    head |= each("liable_{}", (False, False, False))
    if net is None:
        return {**head, "score_status": "undefined", **more}
    zeros = {f"{component}_{role}": 0 for component in (*COMPONENTS, "fee_apart") for role in ROLES}
    house = {f"house_{part}": 0 for part in ("rake", "fee", "forfeit", "fine", "net")}
    played = {"unit": 1, "bid": 1, "auction_multiplier": 1, "event_multiplier": 1, "cap_bites": False}
    return {**head, "score_status": "exact", **zeros, **house, **played, **each("net_{}", net), **more}


def act(seat: int, name: str, **more: Any) -> Row:
    """One action; texts where the stored table has codes."""
    coded = {"actor": ACTORS, "stage": STAGES}
    codes = {column: coded[column].index(value) for column, value in more.items() if column in coded}
    return {"seat": seat, "act": ACTS.index(name), **more, **codes}


def play(hand_id: int, play_index: int, cards: str, **more: Any) -> Row:
    """A set of cards that seat 0 played."""
    mask = pack(cards, suited=False)
    return {
        "hand_id": hand_id,
        "play_index": play_index,
        "action_index": play_index,
        "seat": 0,
        "cards": mask,
        **more,
    }


def write_store(path: Path, tables: Mapping[str, Sequence[Sequence[Row]]], tz: str = "UTC") -> Path:
    """A store with these tables, each in as many parts as it has lists of rows; settlements are cut by rule set too."""
    (path / FOLDER).mkdir(parents=True)
    empty = {name: f"{FOLDER}/{name}-empty.parquet" for name in SCHEMAS}
    for name, file in empty.items():
        write_part(path / file, name, [])
    listed = {
        name: [_part(path, name, number, rows) for number, rows in enumerate(parts)]
        for name, parts in tables.items()
    }
    content: dict[str, Any] = {"time_zone": tz, "empty": empty, **listed}
    (path / FILE_NAME).write_bytes(dump_manifest(Manifest(**content)))
    return path


def paired_store(
    folder: Path, landlord: Mapping[str, Sequence[int]], heads: Sequence[Row], **tables: Sequence[Row]
) -> Path:
    """A store with a hand for each of `heads`, seat 0 landlord, and under each rule set what he wins of the down peasant in each."""
    hands = [hand(place + 1, 0, **more) for place, more in enumerate(heads)]
    settled = [
        [settlement(place + 1, name, (each, -each, 0)) for place, each in enumerate(scores)]
        for name, scores in landlord.items()
    ]
    named = [{"rule_set": name, "rule_hash": HASH, "assumed": False, "parameters": "{}"} for name in landlord]
    more = {name: [rows] for name, rows in tables.items()}
    return write_store(
        folder / "store", {"hands": [hands], "settlements": settled, "rule_sets": [named], **more}
    )


def ask(connection: Connection, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    rows: list[tuple[Any, ...]] = connection.sql(query).fetchall()
    return rows


def _part(path: Path, name: str, number: int, rows: Sequence[Row]) -> Any:
    file = f"{FOLDER}/{name}-{number}.parquet"
    count = write_part(path / file, name, [table(name, rows)])
    if name == "hands":
        return entries.HandsPart(file, count, [entries.Stretch(count, 1)], {"ddz/1": 1})
    if name == "rejected":
        return entries.RejectedPart(file, count, [entries.Stretch(count, 1)])
    if name in ("source_files", "rule_sets"):
        return entries.TablePart(file, count)
    if name == "settlements":
        return entries.SettledPart(
            file, count, f"{FOLDER}/facts-0.parquet", "recorded", rows[0]["rule_set"], HASH, 1
        )
    return entries.ReplayedPart(file, count, f"{FOLDER}/hands-0.parquet", 1)


def small_tables() -> dict[str, list[list[Row]]]:
    """Six hands under `jj-classic`, four of them under others too.

    1  landlord 0 wins at stake 40; cy (up) on autoplay pays both shares (jj J42): +80 / 0 / -80
    2  landlord 1 loses at stakes 8 and 16 in the casino, 5 % rake (casino C28): -24 / +7.6 / +15.2, house 1.2
    3  nobody bid: thrown in
    4  landlord 2 loses at stake 30, both peasants on autoplay: their shares are forfeit to the house (jj J43)
    5  a fine of 6 for the seat that fled, a fee of 1 each, undefined under jj-classic
    6  landlord 0 wins at stake 32 over a base of 1, ann's peasant `up` on autoplay; bo asked to double and may not
    """
    liability = [
        settlement(1, "jj-classic", (80, 0, -80), unit=10, bid=2, event_multiplier=2, doublings=1, liable_up=True,
                   stake_down=40, stake_up=40, **each("transfer_{}", (80, -40, -40)), **each("liability_{}", (0, 40, -40)),
                   **balances(500, 400, 300)),
        settlement(3, "jj-classic", (0, 0, 0), reason="thrown_in", unit=None, bid=None, auction_multiplier=None,
                   event_multiplier=None, stake_down=0, stake_up=0),
        settlement(4, "jj-classic", (-60, 0, 0), unit=10, bid=3, liable_down=True, liable_up=True, stake_down=30, stake_up=30,
                   **each("transfer_{}", (-60, 30, 30)), **each("liability_{}", (0, -30, -30)), house_forfeit=60, house_net=60),
        settlement(5, "jj-classic", None, reason="escaped"),
        settlement(6, "jj-classic", (64, 0, -64), event_multiplier=32, doublings=5, liable_up=True, stake_down=32, stake_up=32,
                   **each("transfer_{}", (64, -32, -32)), **each("liability_{}", (0, 32, -32)), double_refused_down="own",
                   double_change_down=0, **balances(900, 50, 300)),
    ]  # fmt: skip
    normal = [
        settlement(1, "own-share", (80, -40, -40), unit=10, bid=2, event_multiplier=2, **each("transfer_{}", (80, -40, -40)),
                   score_status="projected", assumed=BIT_OF["bid"] | BIT_OF["room.fee"]),
        settlement(3, "own-share", (0, 0, 0), unit=None, bid=None, auction_multiplier=None, event_multiplier=None),
        settlement(4, "own-share", (-60, 30, 30), unit=10, bid=3, **each("transfer_{}", (-60, 30, 30)), **balances(60, 0, 20)),
        settlement(5, "own-share", (-1, -1, -7), **each("fee_{}", (-1, -1, -1)), **each("fine_{}", (0, 0, -6)),
                   house_fee=3, house_fine=6, house_net=9),
        settlement(6, "own-share", (64, -32, -32), event_multiplier=32, cap_bites=True, **each("transfer_{}", (64, -32, -32))),
    ]  # fmt: skip
    casino = [
        settlement(2, "casino-capped", (-24, "7.6", "15.2"), bid=4, event_multiplier=2, stake_down=8, stake_up=16,
                   pair_multiplier_down=1, pair_multiplier_up=2, **each("transfer_{}", (-24, 8, 16)),
                   **each("rake_{}", (0, "-0.4", "-0.8")), house_rake="1.2", house_net="1.2"),
    ]  # fmt: skip
    return {
        "hands": [
            [hand(1, 0, match_id="m1", started_at=EVENING, recorded_rules="jj-classic", **each("recorded_score_{}", (80, 0, -80)),
                  **each("balance_{}", (500, 400, 300)), balance_kind="points", actions=_acts()),
             hand(2, 1, source_format="casino-log"), hand(3, outcome="redeal"), hand(4, 2), hand(5, outcome="escaped")],
            [hand(6, 0, match_id="m1", room_double_threshold=100, **each("balance_{}", (900, 50, 300)))],
        ],
        "facts": [
            [facts(1, 0, 0, bombs=1, bid=2, down_plays=0, up_autoplay=True, up_autoplay_cards=9), facts(2, 1, 0, landlord_plays=1),
             facts(3), facts(4, 2, 1, down_autoplay=True, down_autoplay_cards=12, up_autoplay=True, up_autoplay_cards=2),
             facts(5, escaped_seat=2, escape_stage="auction")],
            [facts(6, 0, 0, down_plays=0, up_plays=0, up_autoplay=True, up_autoplay_cards=17, down_doubled=2, room_double_threshold=100, **each("{}_balance", (900, 50, 300)))],
        ],
        "plays": [[play(1, 0, "BR", category=CODE_OF["rocket"], main_rank=14, length=1, is_lead=True, trick=0, cards_left_after=18),
                   play(1, 1, "34567", category=5, main_rank=4, length=5, is_lead=True, trick=1, cards_left_after=13)]],
        "issues": [[{"hand_id": 1, "issue_index": 0, "code": "reread", "severity": "note", "detail": "read anew"}]],
        "episodes": [[{"hand_id": 1, "seat": 2, "episode": 0, "start_index": 1, "cards_at_start": 9, "reason": "button"}]],
        "settlements": [liability, normal, casino],
        "rule_sets": [[{"rule_set": name, "rule_hash": HASH, "assumed": False, "parameters": '{"cap.after_pairs":false}'}
                       for name in ("casino-capped", "jj-classic", "own-share")]],
        "rejected": [[{"source_path": "log", "line": 9, "code": "deck", "detail": "no deck", "raw": b"\xff{"}]],
        "source_files": [[_reading(read=5, stored=4, rejected=1, ingested_at=EVENING),
                          _reading(read=2, stored=2, rejected=0, ingested_at=EVENING.replace(hour=21), sha256="b")]],
    }  # fmt: skip


def _acts() -> list[Row]:
    return [
        act(0, "open", stage="deal", dealt=5, value=40_000),
        act(2, "autoplay", value=10_000, actor="timeout", ms=15_000),
        act(0, "play", cards=pack("BR", suited=False), declared="rocket"),
        act(1, "pass", sent="H4 D4", actor="judge"),
    ]


def _reading(**more: Any) -> Row:
    return {"path": "log", "sha256": "a", "format": "ddz/1", "duplicate": 0, "skipped": 0, **more}
