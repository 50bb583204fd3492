"""`ddz.settle`: the tables it takes, what a table must say, and that it settles exactly as the store does."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import ddz_analytics as ddz
from ddz_analytics.errors import UsageError
from ddz_analytics.parsers.ddz1 import Ddz1
from ddz_analytics.replay import replay
from ddz_analytics.rules import shipped_rules
from ddz_analytics.schema import FACTS, SETTLEMENTS
from ddz_analytics.settlement.settle import settle as engine_settle
from ddz_analytics.simulate import simulate
from tests.parsing import hands_of_log

# A hand at 2 with one bomb that the landlord, seat 1, wins.
ROW: dict[str, Any] = {
    "hand_id": 7, "landlord_seat": 1, "winner_seat": 1, "bombs": 1, "rockets": 0, "landlord_plays": 4, "down_plays": 2,
    "up_plays": 1, "auction_kind": "score", "bid": 2,
}  # fmt: skip


def table(*rows: dict[str, Any]) -> pa.Table:
    """Rows that each are ROW but for what they say."""
    filled = [{**ROW, **row} for row in rows or ({},)]
    names = dict.fromkeys(name for row in filled for name in row)
    return pa.table({name: [row.get(name) for row in filled] for name in names})


def with_column(name: str, values: Any) -> pa.Table:
    """ROW with one column replaced."""
    return pa.table({**{key: [value] for key, value in ROW.items()}, name: values})


def refusal(facts: Any, rules: str = "qq-classic") -> UsageError:
    """The error with which facts are refused."""
    with pytest.raises(UsageError) as caught:
        ddz.settle(facts, rules)
    return caught.value


def nets(settled: Any) -> list[tuple[Any, ...]]:
    """What landlord, down and up get, row by row."""
    return list(
        zip(*(list(settled[f"net_{role}"].to_pylist()) for role in ("landlord", "down", "up")), strict=True)
    )


def test_Q18_an_arrow_table_gives_an_arrow_table() -> None:
    """The answer has the columns of the stored settlements, a row for each row, in order."""
    settled = ddz.settle(table({}, {"winner_seat": 0, "bid": 3}), "qq-classic")
    assert isinstance(settled, pa.Table) and settled.schema == SETTLEMENTS
    assert nets(settled) == [(8, -4, -4), (-12, 6, 6)]
    assert settled["hand_id"].to_pylist() == [7, 7]


def test_a_frame_gives_a_frame() -> None:
    """A DataFrame comes back with its index, Arrow-backed, decimals kept."""
    frame = table({}, {"hand_id": 9}).to_pandas().set_axis(["a", "b"])
    settled = ddz.settle(frame, ddz.load_rules("qq-classic"))
    assert (
        isinstance(settled, pd.DataFrame)
        and list(settled.index) == ["a", "b"]
        and list(settled.columns) == SETTLEMENTS.names
    )
    assert settled["net_landlord"].tolist() == [Decimal(8), Decimal(8)]
    assert settled["score_status"].dtype == pd.ArrowDtype(pa.string())


def test_no_rows_are_no_rows() -> None:
    """An empty table is settled to an empty one."""
    assert len(ddz.settle(table().slice(0, 0), "qq-classic")) == 0
    assert len(ddz.settle(table().to_pandas().iloc[:0], "qq-classic")) == 0


def test_a_spec_names_a_variant() -> None:
    """Overlays and settings are written in the rule set's name."""
    facts = table({"bombs": 6})
    assert nets(ddz.settle(facts, "qq-classic+cap-4")) == [(64, -32, -32)]
    assert nets(ddz.settle(facts, "qq-classic[cap.doublings=1]")) == [(8, -4, -4)]


def test_missing_column_is_null() -> None:
    """What may be missing and is counts as not known, and a score that rests on that says so."""
    settled = ddz.settle(table(), "jj-classic")
    assert settled["score_status"].to_pylist() == ["projected"]  # room.unit, autoplay and more
    spelled = ddz.settle(table({name: None for name in FACTS.names if name not in ROW}), "jj-classic")
    assert settled.equals(spelled)


@pytest.mark.parametrize("rules", shipped_rules())
def test_settles_as_the_store_does(rules: str) -> None:
    """Facts that replay made are settled alike through Arrow, pandas and a query's own types."""
    log = b"\n".join(simulate(ddz.load_rules(rules), hands=200, seed=5, players=9))
    facts = replay(hands_of_log("ddz/1", log), {"ddz/1": Ddz1()}).facts
    chosen = ddz.load_rules(rules)
    expected = engine_settle(facts, chosen)
    seats = ", ".join(f"{name}::BIGINT AS {name}" for name in FACTS.names if name.endswith("_seat"))
    with duckdb.connect() as connection:
        queried = connection.from_arrow(facts).project(f"* REPLACE ({seats})").to_arrow_table()
    assert ddz.settle(facts, chosen).equals(expected)
    assert ddz.settle(queried, chosen).equals(expected)
    frames = [facts.to_pandas(), facts.to_pandas(types_mapper=pd.ArrowDtype)]
    for settled in (ddz.settle(frame, chosen) for frame in frames):
        assert pa.Table.from_pandas(settled, schema=SETTLEMENTS, preserve_index=False).equals(expected)


# --- what a table must say -------------------------------------------------------------------------------


def test_needed_column_is_missed() -> None:
    """A column without which nothing can be settled is asked for by name."""
    error = refusal(table().drop_columns(["down_plays"]))
    assert error.code == "facts_missing" and "down_plays" in error.what


def test_unknown_column_is_refused_with_the_nearest() -> None:
    """A misspelt column is not passed over."""
    error = refusal(table({"room_units": 3}))
    assert error.code == "facts_column" and error.mend == "nearest: room_unit"


def test_column_twice_is_refused() -> None:
    """Of two columns of one name neither is taken."""
    twice = table().append_column("bombs", pa.array([3]))
    assert refusal(twice).code == "facts_column"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("bombs", [1.5]),
        ("bombs", [float("nan")]),
        ("bombs", ["1"]),
        ("bombs", [True]),
        ("landlord_seat", [300]),
        ("bid", ["2"]),
        ("bid", [0.12345]),
        ("bid", [float("inf")]),
        ("bid", [10**15]),
        ("bid", [Decimal("0.00001")]),
        ("open_offered", [1]),
        ("outcome", [1]),
        ("hand_id", ["room7-000123"]),
    ],
)
def test_other_types_are_not_coerced(name: str, values: Any) -> None:
    """A count with a fraction, a text for a number, a fifth decimal or a number for a flag is refused, with its column."""
    error = refusal(with_column(name, values))
    assert error.code == "facts_type" and name in error.what


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("bombs", [1.0]),
        ("bombs", pa.array([1], pa.uint8())),
        ("bombs", pa.array([Decimal(1)])),
        ("bid", [2.0]),
        ("bid", [Decimal("2.00000")]),
        ("bid", pa.array([2], pa.int8())),
        ("auction_kind", pa.array(["score"]).dictionary_encode()),
        ("auction_kind", pa.array(["score"], pa.large_string())),
        ("bombs", pa.chunked_array([pa.array([1]), pa.array([], pa.int64())])),
    ],
)
def test_same_value_in_another_type(name: str, values: Any) -> None:
    """What means the same whole number, amount or word is taken as such."""
    assert nets(ddz.settle(with_column(name, values), "qq-classic")) == [(8, -4, -4)]


def test_float_amount_is_its_four_decimals() -> None:
    """A float that is the nearest to a number with four decimals is that number, exactly."""
    assert nets(ddz.settle(table({"room_unit": 0.1}), "jj-classic")) == [
        (Decimal("0.8"), Decimal("-0.4"), Decimal("-0.4"))
    ]


def test_nulls_in_a_pandas_column() -> None:
    """A column of numbers that pandas made floats for its missing values is read as the numbers."""
    frame = pd.DataFrame([ROW, {**ROW, "outcome": "void", "winner_seat": None, "bid": None}])
    settled = ddz.settle(frame, "qq-classic")
    assert settled["net_landlord"].tolist() == [Decimal(8), Decimal(0)]


def test_mixed_column_of_a_frame_is_refused() -> None:
    """A column of numbers and texts is neither."""
    frame = pd.DataFrame([ROW, {**ROW, "bombs": "two"}])
    assert refusal(frame).code == "facts_type"


@pytest.mark.parametrize("facts", [[ROW], ROW, None, "facts.csv"])
def test_other_tables_are_refused(facts: Any) -> None:
    """Facts are an Arrow table or a DataFrame."""
    assert refusal(facts).code == "facts_table"
