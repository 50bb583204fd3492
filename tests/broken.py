"""Fifty ways in which a file of a log can be broken, and the code that says so."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.fuzzing import seeds_of
from tests.stores import line
from tests.test_sources import zipped

Change = Callable[[dict[str, Any]], object]
CUT = 120  # bytes that are left of a record that is cut off
TOO_MANY = b" " * (17 << 20)  # more than a record may have


def way(number: int) -> str:
    """The id of the record that is broken in a way."""
    return f"broken-{number}"


def _without(field: str) -> Change:
    return lambda hand: hand.pop(field)


def _with(**fields: Any) -> Change:
    return lambda hand: hand.update(fields)


def _acting(**act: Any) -> Change:
    return _with(actions=[{"seat": 0, **act}], landlord=0, outcome="unfinished")


# what becomes of a deal that was thrown in, and the code of that
CHANGED: Mapping[str, tuple[Change, str]] = {
    "no id": (_without("id"), "missing_field"),
    "no cards dealt": (_without("dealt"), "missing_field"),
    "an act of nobody": (_with(actions=[{"act": "pass"}]), "missing_field"),
    "a play of no cards": (_acting(act="play"), "missing_field"),
    "a field that is none": (_with(tabel="t"), "unknown_field"),
    "a field of an act that is none": (_acting(act="pass", speed=3), "unknown_field"),
    "a field of another act": (_acting(act="pass", cards="3"), "unknown_field"),
    "a number for a text": (_with(id=7), "wrong_type"),
    "a text for a number": (_acting(act="bid", value=[1]), "wrong_type"),
    "null for a list": (_with(actions=None), "wrong_type"),
    "a time that is none": (_with(started_at="yesterday"), "wrong_type"),
    "two players": (_with(players=["ann", "bo"]), "out_of_range"),
    "a fourth seat": (_with(actions=[{"seat": 3, "act": "pass"}]), "out_of_range"),
    "an act that is none": (_acting(act="cheat"), "out_of_range"),
    "an outcome that is none": (_with(outcome="lost"), "out_of_range"),
    "an empty id": (_with(id=""), "out_of_range"),
    "five decimals": (_with(balances=["1.00001", 0, 0]), "out_of_range"),
    "beyond 64 bits": (_with(balances=[2**63, 0, 0]), "out_of_range"),
    "a bid below nothing": (_acting(act="bid", value=-1), "out_of_range"),
    "a double of three": (_acting(act="double", value=3), "out_of_range"),
    "a time before all hands": (_with(started_at="0001-01-01T00:00:00Z"), "out_of_range"),
    "a time without offset": (_with(started_at="2026-01-02T11:00:00"), "naive_time"),
    "a letter that is no card": (_acting(act="play", cards="3X"), "bad_cards"),
    "five of a rank": (_acting(act="play", cards="33333"), "bad_cards"),
    "sixteen cards": (_with(dealt=["3333444455556666", "77788889999TTTTJJ", "JJQQQQKKKKAAAA222"]), "deal_size"),
    "four cards at the bottom": (_with(bottom="2BR7"), "deal_size"),
    "a card of a second deck": (_with(bottom="2RA"), "deck"),
    "the same id, other players": (_with(id="good-0", players=["ann", "bo", "dee"]), "conflict"),
}  # fmt: skip


def _records() -> dict[str, tuple[bytes, str]]:
    """Broken records, each one line of a log in which there are good ones too."""
    whole = line("x").rstrip()
    found = {
        name: (_changed(number, change), code)
        for number, (name, (change, code)) in enumerate(CHANGED.items())
    }
    return found | {
        "cut off": (whole[:CUT], "truncated"),
        "a byte that is no letter": (whole.replace(b"ann", b"an\xff"), "bad_encoding"),
        "a name in GB18030": (whole.replace(b"ann", "张三".encode("gb18030")), "bad_encoding"),
        "half a letter": (whole.replace(b"ann", b"\\ud800"), "bad_encoding"),
        "no JSON": (b"landlord: ann", "bad_json"),
        "a number that is none": (whole[:-1] + b',"_x":NaN}', "bad_json"),
        "nested too deeply": (whole[:-1] + b',"_x":' + b"[" * 3000 + b"]" * 3000 + b"}", "bad_json"),
        "five thousand digits": (whole[:-1] + b',"_x":' + b"9" * 5000 + b"}", "bad_json"),
        "a comma too many": (whole[:-1] + b",}", "bad_json"),
        "two records in one line": (whole + whole, "bad_json"),
        "a list": (b"[" + whole + b"]", "wrong_type"),
        "a number beyond all range": (whole[:-1] + b',"_x":1e400}', "out_of_range"),
        "a key twice": (whole[:-1] + b',"landlord":0}', "duplicate_key"),
    }


def _changed(number: int, change: Change) -> bytes:
    hand = json.loads(line(way(number)))
    change(hand)
    return json.dumps(hand).encode()


def _files() -> dict[str, tuple[bytes, str]]:
    """Files that are broken as a whole, so that nothing of them is a hand."""
    playout = json.loads(seeds_of("open-spiel")[0].splitlines()[0])
    playout["action_strings"][2] = playout["action_strings"][1]
    game = json.loads(seeds_of("rlcard-trace")[0].splitlines()[0]) | {"payoffs": [0.5, 0, 0]}
    packed = gzip.compress(line("never"))
    return {
        "binary": (b"\x7fELF\0\0\0", "not_text"),
        "no log": (b"dear diary\n", "unsupported_mode"),
        "UTF-16": (line("never").decode().encode("utf-16"), "bad_encoding"),
        "a record of 17 MB, packed": (gzip.compress(line("never").rstrip()[:-1] + TOO_MANY), "too_large"),
        "a packed file cut off": (packed[: len(packed) // 2], "truncated"),
        "a zip file cut off": (zipped({"log": line("never")})[:-30], "truncated"),
        "a member that leads out": (zipped({"../log": line("never")}), "unsupported_mode"),
        "a card dealt twice": (json.dumps(playout).encode(), "deck"),
        "half a point": (json.dumps(game).encode(), "out_of_range"),
    }


def broken_files(good: Callable[[], bytes]) -> dict[str, tuple[bytes, str]]:
    """By way: the file, of which the bad record is one, and its code; `good` gives a good line, of which two stand around a bad one."""
    files = {name: (good() + record + b"\n" + good(), code) for name, (record, code) in _records().items()}
    return files | _files()
