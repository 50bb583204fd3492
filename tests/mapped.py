"""What the tests of mappings share: five small tables of one game that can be reckoned by hand, and ingesting them.

The landlord `ann` bids 3, holds 3333444455556666 7 2 and the jokers, and plays four bombs, the rocket, 2 and 7, which nobody beats:
a spring. In points that is 3 · 2^4 · 2 · 2 = 192 from each peasant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ddz_analytics.ingest.summary import Summary
from tests.stores import take

MAPPING = """
format = "relational"
name = "small"
zone = "Asia/Shanghai"

[tables.games]
files = "games*"
key = "gid"

[tables.deals]
files = "deals*"
key = "gid"
player = "pid"
seat = "seat"

[tables.bids]
files = "bids*"
key = "gid"
player = "pid"

[tables.plays]
files = "plays*"
key = "gid"
player = "pid"

[constants]
rules = "jj-classic"

[hand]
of = "games"
id = "gid"
table = "room"
started_at = "began"
landlord = "lord"
outcome = { column = "state", codes = { 1 = "complete", 0 = "unfinished" } }
without_landlord = "redeal"
bottom = "bottom"
recorded = { multiplier = "multi" }

[seats]
of = "deals"
dealt = "hand"
score = "won"

[[acts]]
of = "bids"
order = "n"
every = "bid"
value = "score"

[[acts]]
of = "plays"
order = "n"
act = { column = "type", codes = { 1 = "play", 2 = "pass", 3 = { act = "turn", actor = "autoplay" } } }
cards = "cards"

[cards]
ranks = { 3 = "3", 4 = "4", 5 = "5", 6 = "6", 7 = "7", 8 = "8", 9 = "9", T = "T", J = "J", Q = "Q", K = "K", A = "A", 2 = "2" }
jokers = { B = "B", R = "R" }
separator = ""
"""
PLAYED = ("3333", "4444", "5555", "6666", "BR", "2", "7")
HANDS = ("33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA222")
PLAYERS = ("ann", "bo", "cy")
SCORES = (384, -192, -192)


def game(gid: str = "g1", room: str = "r1", began: str = "2026-01-02 11:04:05", **changes: str) -> str:
    """A row of games."""
    fields = {
        "gid": gid,
        "room": room,
        "began": began,
        "lord": "ann",
        "state": "1",
        "bottom": "2BR",
        "multi": "64",
    }
    return ",".join({**fields, **changes}.values()) + "\n"


def deals(gid: str = "g1", scores: tuple[int, ...] = SCORES) -> str:
    """The rows of deals of a game."""
    rows = zip(PLAYERS, range(3), HANDS, scores, strict=True)
    return "".join(f"{gid},{player},{seat},{hand},{score}\n" for player, seat, hand, score in rows)


def bids(gid: str = "g1") -> str:
    """The one bid of a game."""
    return f"{gid},ann,1,3\n"


def plays(gid: str = "g1") -> str:
    """The plays of a game: nobody follows."""
    rows = []
    for cards in PLAYED:
        rows += [("ann", "1", cards), ("bo", "2", ""), ("cy", "2", "")]
    return "".join(
        f"{gid},{player},{n},{kind},{cards}\n" for n, (player, kind, cards) in enumerate(rows[:-2], 1)
    )


HEADS = {
    "games": "gid,room,began,lord,state,bottom,multi\n",
    "deals": "gid,pid,seat,hand,won\n",
    "bids": "gid,pid,n,score\n",
    "plays": "gid,pid,n,type,cards\n",
}


def tables(*gids: str) -> dict[str, str]:
    """The four tables, without headers, of some games."""
    makers: dict[str, Callable[[str], str]] = {"games": game, "deals": deals, "bids": bids, "plays": plays}
    return {name: "".join(make(gid) for gid in gids or ("g1",)) for name, make in makers.items()}


def write(folder: Path, rows: Mapping[str, str | bytes], mapping: str = MAPPING) -> Path:
    """Write tables (a header is put before text) and a mapping beside their folder; the path of the mapping."""
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    for name, content in rows.items():
        path = folder / "tables" / (name if "." in name else f"{name}.csv")
        path.parent.mkdir(parents=True, exist_ok=True)
        head = HEADS[path.name.partition(".")[0].partition("_")[0]]
        path.write_bytes(content if isinstance(content, bytes) else (head + content).encode())
    (folder / "mapping.toml").write_text(mapping, "utf-8")
    return folder / "mapping.toml"


def take_mapped(
    folder: Path, rows: Mapping[str, str | bytes], mapping: str = MAPPING, **options: Any
) -> Summary:
    """Ingest tables by a mapping into the store `store` of a folder."""
    path = write(folder, rows, mapping)
    return take(folder / "store", folder / "tables", mapping=path, **options)
