"""Columns in all their kinds: who sits where, cards in any alphabet, codes, amounts, times, rows chosen by other columns."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import ACTS
from ddz_analytics.mapping.alphabet import Alphabet
from ddz_analytics.mapping.spec import Cards, Column, Numbers
from ddz_analytics.mapping.values import Kind, amount_of, converter, instant_of
from ddz_analytics.store import open_store
from tests.mapped import HANDS, MAPPING, SCORES, bids, plays, take_mapped
from tests.stores import column

SUITS = {"♠": "S", "♥": "H", "♣": "C", "♦": "D"}
TEXT = {"10": "T", **{rank: rank for rank in "3456789JQKA2"}}
HEX = dict(zip("3456789abcdef", "3456789TJQKA2", strict=True))
ALPHABETS: dict[str, Cards] = {
    "symbols": Cards(suits=SUITS, ranks=TEXT, jokers={"BJ": "B", "RJ": "R"}),  # type: ignore[arg-type]  # letters as text
    "listed": Cards(suits=SUITS, ranks=TEXT, jokers={"BJ": "B", "RJ": "R"}, strip='[]" '),  # type: ignore[arg-type]
    "after": Cards(suits={"s": "S", "h": "H", "c": "C", "d": "D"}, ranks=TEXT, jokers={"x": "B", "X": "R"}, order="rank-suit", separator=""),
    "hex": Cards(suits={"0x0": "D", "0x1": "C", "0x2": "H", "0x3": "S"}, ranks=HEX, jokers={"0x4e": "B", "0x4f": "R"}, hex=True),
    "ids": Cards(numbers=Numbers(within="rank", suits="HDSC")),
    "by suit": Cards(numbers=Numbers(within="suit", suits="CDHS", first=1, small_joker=53, big_joker=54), separator="-"),
    "ranks": Cards(ranks=TEXT, jokers={"B": "B", "R": "R"}, separator=""),
}  # fmt: skip


def hand(folder: Path) -> dict[str, Any]:
    """The one hand of the store of a folder."""
    (found,) = open_store(folder / "store").read("hands").to_pylist()
    return dict(found)


@pytest.mark.parametrize(
    ("alphabet", "text", "cards"),
    [
        ("symbols", "♠2,♥10, RJ,BJ", "S2 HT R B"),
        ("symbols", "", ""),
        ("listed", '["♠2", "♦3"]', "S2 D3"),
        ("listed", "[]", ""),
        ("after", "10s3hx", "ST H3 B"),
        ("hex", "0x03,0x3f,0x4e", "D3 S2 B"),
        ("ids", "0,3,51,53", "H3 C3 C2 R"),
        ("by suit", "1-14-52-54", "C3 D3 S2 R"),
        ("ranks", "10345BR", "T345BR"),
    ],
)
def test_alphabets(alphabet: str, text: str, cards: str) -> None:
    """Cards are read in the words of the log, whatever they are."""
    assert Alphabet(ALPHABETS[alphabet]).cards(text) == cards


@pytest.mark.parametrize(("alphabet", "text"), [("symbols", "♠1"), ("symbols", "♠2;♥3"), ("ids", "54"), ("ids", "00"), ("ranks", "1"), ("hex", "0x0e4")])  # fmt: skip
def test_words_that_are_no_cards(alphabet: str, text: str) -> None:
    """A word that is no card is a fault, not a guess."""
    with pytest.raises(BadRecord) as fault:
        Alphabet(ALPHABETS[alphabet]).cards(text)
    assert fault.value.code == "bad_cards"


def test_lists_of_cards() -> None:
    """In JSON cards are numbers or texts; truth values and fractions are none."""
    assert Alphabet(ALPHABETS["hex"]).listed([19, 0x4E]) == "C3 B"
    assert Alphabet(ALPHABETS["symbols"]).listed(["♠2 ", "RJ"]) == "S2 R"
    for card in (True, 1.0, None, [3]):
        with pytest.raises(BadRecord):
            Alphabet(ALPHABETS["ids"]).listed([card])


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("amount", "007", 7),
        ("amount", "-1.50", "-1.5"),
        ("amount", "0.0001", "0.0001"),
        ("amount", "100.000000", 100),
        ("integer", "-3", -3),
        ("time", "2026-01-02 11:04:05", datetime(2026, 1, 2, 11, 4, 5)),
        ("time", "2026-01-02T11:04:05.250000000Z", datetime(2026, 1, 2, 11, 4, 5, 250_000, tzinfo=UTC)),
        ("time", "2026-01-02 11:04:05.123000+0000", datetime(2026, 1, 2, 11, 4, 5, 123_000, tzinfo=UTC)),
    ],
)  # fmt: skip
def test_values(kind: Kind, text: str, value: object) -> None:
    """Numbers and times are what is written, exactly."""
    assert converter(Column(column="x"), kind)(text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("amount", "1e3"), ("amount", "1,000"), ("amount", " 1"), ("amount", "1.00001"), ("amount", "nan"), ("amount", "９"), ("amount", "9" * 15),
        ("integer", "1.0"), ("integer", "+1"), ("integer", "²"), ("integer", ""), ("integer", "9" * 19),
        ("time", "2026-01-02"), ("time", "2026-13-02 00:00:00"), ("time", "02.01.2026 11:04"), ("time", "2026-01-02 11:04:05.1234567"),
    ],
)  # fmt: skip
def test_values_that_are_none(kind: Kind, text: str) -> None:
    """What is no number or time, or finer than can be kept, is a fault: nothing is rounded or read in another way."""
    with pytest.raises(BadRecord):
        converter(Column(column="x"), kind)(text)


def test_times_and_amounts_as_the_mapping_says() -> None:
    """Times since 1970 or by a pattern, and amounts in hundredths, are read exactly."""
    times = [
        ("seconds", "1767323045"),
        ("milliseconds", "1767323045250"),
        ("%d.%m.%Y %H:%M", "02.01.2026 11:04"),
    ]
    found = [converter(Column(column="x", time=pattern), "time")(text) for pattern, text in times]
    second = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert found == [second, second.replace(microsecond=250_000), datetime(2026, 1, 2, 11, 4)]
    assert (amount_of("12345", 100), amount_of("500", 1, "620"), amount_of("1", 4)) == (
        "123.45",
        -120,
        "0.25",
    )
    with pytest.raises(BadRecord):
        amount_of("1", 3)
    assert instant_of("1970-01-01 00:00:01") == 1_000_000 == instant_of("1000000")


THREE = (
    MAPPING.replace('of = "deals"\ndealt = "hand"\nscore = "won"', 'players = ["p0", "p1", "p2"]\ndealt = ["d0", "d1", "d2"]\n'
                    'score = ["w0", "w1", "w2"]\nregistered = ["n0", "n1", "n2"]\nfee = ["f", "f", "f"]')
    .replace('landlord = "lord"', 'landlord = { column = "lord", by = "seat", counted_from = 1 }')
    .replace('[tables.deals]\nfiles = "deals*"\nkey = "gid"\nplayer = "pid"\nseat = "seat"\n', "")
    .replace('recorded = { multiplier = "multi" }', 'recorded = { multiplier = "multi", bid = { column = "multi", divide = 100 } }\nextra = { _state = "state" }')
)  # fmt: skip


def test_everything_in_one_row(tmp_path: Path) -> None:
    """Players, deals, scores and fees may be three columns each of the hand's row, seats counted from one."""
    three = ",".join((*("ann", "bo", "cy"), *HANDS, *map(str, SCORES), "5", "1", "9"))
    head = "gid,room,began,lord,state,bottom,multi,f,p0,p1,p2,d0,d1,d2,w0,w1,w2,n0,n1,n2\n"
    row = f"g1,r1,2026-01-02 11:04:05,1,1,2BR,64,0.5,{three}\n"
    take_mapped(tmp_path, {"games": (head + row).encode(), "bids": bids(), "plays": plays()}, THREE)
    found = hand(tmp_path)
    assert column(tmp_path / "store", "facts", "replay_status") == ["ok"]
    assert [found[f"registered_{seat}"] for seat in range(3)] == [5, 1, 9]
    assert [str(found[f"recorded_fee_{seat}"]) for seat in range(3)] == ["0.5000"] * 3
    assert (found["landlord_seat"], str(found["recorded_bid"]), found["extra"]) == (
        0,
        "0.6400",
        '{"_state":"1"}',
    )


ROWS = MAPPING.replace(
    'landlord = "lord"\n', ""
).replace(
    'score = "won"',
    'role = { column = "role", codes = { L = "landlord", P = "peasant" } }\n'
    'score = { column = "won", of = "money", where = { why = ["game", "bonus"] } }\n'
    'fee = { column = "won", of = "money", where = { why = "fee" }, divide = 100 }\n'
    'balance_after = { column = "after", of = "money", where = { why = "fee" } }\n'
    'balance = { column = "after", less = "won", of = "money", where = { why = "game" } }',
).replace(
    "[tables.bids]",
    '[tables.money]\nfiles = "money.csv"\nkey = "gid"\nplayer = "pid"\n\n[tables.more]\nfiles = "more.csv"\nkey = "gid"\nseat = "seat"\n\n[tables.bids]',
).replace(
    '[[acts]]\nof = "plays"',
    '[[acts]]\nof = "more"\nphase = 1\norder = "n"\nact = { column = "what", codes = { on = { act = "autoplay", value = 1 }, hello = "skip" } }\n\n'
    '[[acts]]\nof = "plays"\nphase = 1',
)  # fmt: skip


def test_rows_chosen_by_other_columns(tmp_path: Path) -> None:
    """Roles name the landlord; of several rows of a player `where` chooses one; sections of one phase are in one order."""
    folder = tmp_path / "tables"
    folder.mkdir()
    deals = "".join(
        f"g1,{name},{seat},{cards},{role}\n"
        for name, seat, cards, role in zip(("ann", "bo", "cy"), range(3), HANDS, "LPP", strict=True)
    )
    money = "".join(f"g1,{name},game,{score},{1000 + score}\ng1,{name},fee,250,{1000 + score - 2}\n" for name, score in zip(("ann", "bo", "cy"), SCORES, strict=True))  # fmt: skip
    (folder / "money.csv").write_text("gid,pid,why,won,after\n" + money)
    (folder / "more.csv").write_text("gid,seat,n,what\ng1,0,0,hello\ng1,1,100,on\n")
    rows: dict[str, str | bytes] = {
        "deals": ("gid,pid,seat,hand,role\n" + deals).encode(),
        "bids": bids(),
        "plays": plays(),
    }
    take_mapped(tmp_path, {**rows, "games": "g1,r1,2026-01-02 11:04:05,,1,2BR,64\n"}, ROWS)
    found = hand(tmp_path)
    assert found["landlord_seat"] == 0
    assert [found[f"recorded_score_{seat}"] for seat in range(3)] == list(SCORES)
    assert [str(found[f"recorded_fee_{seat}"]) for seat in range(3)] == ["2.5000"] * 3
    assert [found[f"balance_{seat}"] for seat in range(3)] == [1000] * 3
    assert [found[f"recorded_balance_after_{seat}"] for seat in range(3)] == [998 + score for score in SCORES]
    assert [ACTS[act["act"]] for act in found["actions"]][-2:] == ["play", "autoplay"]
    (folder / "money.csv").write_text("gid,pid,why,won,after\n" + money + "g1,bo,bonus,1,1\n")
    take_mapped(tmp_path, {}, ROWS, dedupe="none")
    assert column(tmp_path / "store", "rejected", "code") == ["repeated_row"]
