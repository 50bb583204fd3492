"""Acts that are read out of the bytes of many hands at once are what a reader of JSON makes of each text alone."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from ddz_analytics.acts import Acts, UnreadError, acts_text, read_acts
from ddz_analytics.hands import ACTS, Action, Located, Rejected
from ddz_analytics.parsers.base import Parsed, Source, load_json
from ddz_analytics.parsers.ddz1 import Ddz1
from ddz_analytics.rules import load_rules
from ddz_analytics.simulate import simulate
from ddz_analytics.tabulate import hands_table

FIELDS: dict[str, list[Any]] = {
    "value": [0, 3, "2.50"], "cards": ["3", "33334444", "S3 HT BJ", "x", "34\"5", "3,4", "五", "3" * 121], "ms": [0, 7, 1023, 10**14, 2**53],
    "actor": ["timeout"], "auto": [True], "stage": ["deal"], "dealt": [17], "wilds_as": [["3"], []],
    "sent": ["34", '},{"seat":1', '{"', "\\", "é"], "as": ["bomb", {"category": "straight", "length": 5}],
}  # fmt: skip
PIECES = [b"", b" ", b"0", b"-", b"1.0", b'"', b"\\", b",", b"{", b"}", b"[", b"]", b':"', b'"ms":5,', b'{"seat":', b'{"seat":1,"act":"pass"},', b"\xff"]  # fmt: skip


def some_act(chance: Random) -> dict[str, Any]:
    """A play or pass as most are, or an act that says other things too."""
    act: dict[str, Any] = {
        "seat": chance.randrange(3),
        "act": chance.choice(["play", "pass", "pass", "bid", "autoplay"]),
    }
    if act["act"] == "play":
        act["cards"] = chance.choice(["3", "TT", "2BR", "34567", "10", "S3 H3"])
    if chance.random() < 0.8:
        act["ms"] = chance.choice([0, 5, 999, 15000])
    for name in chance.sample(sorted(FIELDS), chance.choice([0, 0, 0, 1, 3])):
        act[name] = chance.choice(FIELDS[name])
    return act


def texts(number: int, chance: Random) -> Iterator[bytes]:
    """Texts of hands as they are written, but for those that no act is."""
    while number:
        try:
            acts = msgspec.convert(
                [some_act(chance) for _ in range(chance.choice([0, 1, 5, 30]))], list[Action]
            )
        except msgspec.ValidationError:
            continue
        number -= 1
        yield acts_text(acts)


def said(acts: Acts) -> list[dict[str, Any]]:
    """Every act as what it says."""
    cards = dict(zip(acts.with_cards.tolist(), acts.cards.to_pylist(), strict=True))
    columns = zip(acts.seat.tolist(), acts.act.tolist(), acts.ms.to_pylist(), strict=True)
    rows = []
    for row, (seat, act, ms) in enumerate(columns):
        known = {"seat": seat, "act": ACTS[act], "cards": cards.get(row), "ms": ms}
        rows.append({name: value for name, value in known.items() if value is not None})
    for row, kind in zip(acts.few.tolist(), acts.kind.tolist(), strict=True):
        told = msgspec.to_builtins(acts.said[kind])
        assert rows[row].items() <= (rows[row] | told).items()
        rows[row] |= told
    return rows


def mutant(text: bytes, chance: Random) -> bytes:
    """The text with one or two small changes."""
    for _ in range(chance.choice([1, 1, 2])):
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chance.choice(PIECES) + text[place + chance.choice([0, 0, 1, 1, 9]) :]
    return text


def test_acts_read_together_are_those_of_each_text() -> None:
    """Whatever acts say, many texts read at once are the acts of each, in order, with the places at which each hand begins."""
    given = list(texts(400, Random(1)))
    acts = read_acts(given)
    each = [json.loads(text) for text in given]
    assert said(acts) == [act for hand in each for act in hand]
    assert acts.offsets.tolist() == [sum(map(len, each[:place])) for place in range(len(each) + 1)]
    assert len(acts.few) < len(acts.act)  # else the quick way was not tried


def test_a_changed_text_is_read_as_it_is_written_or_named() -> None:
    """A text with a small change is read only as what it still strictly says; else its hand is named."""
    chance, right = Random(2), b'[{"seat":0,"act":"pass","ms":3}]'
    read = 0
    for text in texts(1500, chance):
        changed = mutant(text, chance)
        try:
            acts = read_acts([right, changed, right])
        except UnreadError as unread:
            assert unread.places == [1]
            continue
        read += 1
        assert said(acts)[1:-1] == load_json(changed)  # which refuses a key that stands twice
        msgspec.json.decode(changed, type=list[Action])  # which refuses what is no act
    assert read > 50


@pytest.mark.parametrize(
    "text", [b"", b"[", b"[] ", b"[1]", b'{"seat":0,"act":"pass"}', b'[{"seat":0,"act":"pass"}', b'[{"seat":0,"act":"pass"},]', b'[{"seat":0,"act":"pass","ms":03}]',
             b'[{"seat":0,"act":"pass","seat":1}]', b'[{"act":"pass","seat":1}]', b'[{"seat":3,"act":"pass"}]', b'[{"seat":0,"act":"play","cards":""}]',
             b'[{"seat":0,"act":"pass","ms":9999999999999999}]', b'[{"seat":0,"act":"pass"}{"seat":0,"act":"pass"}]'],
)  # fmt: skip
def test_what_is_no_text_of_acts_is_named(text: bytes) -> None:
    """A text that is no array of acts, or not as acts are written, is not read."""
    with pytest.raises(UnreadError) as caught:
        read_acts([b"[]", text])
    assert caught.value.places == [1]


def outcome(items: list[Parsed]) -> tuple[list[dict[str, Any]], list[Rejected]]:
    """The rows and the rejections that parsed lines come to, the latter by line."""
    hands = [item for item in items if isinstance(item, Located)]
    table, refused = hands_table(hands, Ddz1(), "log")
    parsed = [item for item in items if isinstance(item, Rejected)]
    return table.to_pylist(), sorted([*parsed, *refused], key=lambda item: item.line)


def test_lines_with_their_acts_left_for_later_come_to_the_same() -> None:
    """Reading heads first and acts later stores and rejects the same lines, with the same words, as reading each line whole."""
    chance = Random(3)
    lines = [bytes(line) for line in simulate(load_rules("happy"), hands=300, seed=5, players=9)]
    changed = [mutant(line, chance) if chance.random() < 0.5 else line for line in lines]
    data = b"\n".join(line.replace(b"\n", b"") for line in changed) + b"\n"
    whole = outcome(list(Ddz1().parse(io.BytesIO(data), Source("log"))))
    later = outcome(list(Ddz1().parse_heads(io.BytesIO(data), Source("log"))))
    assert whole == later
    assert min(len(whole[0]), len(whole[1])) > 50
