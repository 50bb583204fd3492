"""Input that once got past the checks, or took more down than itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.errors import BadRecord, StoreError, UsageError
from ddz_analytics.ingest import Options, ingest
from ddz_analytics.parsers.ddz1 import read_line
from ddz_analytics.query import run_query
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules, variants
from ddz_analytics.store.manifest import load_manifest

HAPPY = Path(__file__).parents[1] / "sample_logs" / "simulated" / "happy.ddz.jsonl"
LINES = HAPPY.read_bytes().splitlines()[:3]


def stored(folder: Path, *lines: bytes, options: Options | None = None) -> tuple[int, int]:
    """How many of some lines are stored and rejected."""
    log = folder / "log.jsonl"
    log.write_bytes(b"\n".join(lines))
    total = ingest(folder / "store", [str(log)], options or Options()).total
    return total.stored, total.rejected


def changed(line: bytes, **fields: Any) -> bytes:
    """A hand with other top-level fields."""
    return json.dumps(json.loads(line) | fields).encode()


@pytest.mark.parametrize(
    "key", [b'"landlord"\r:0', b'"landlord" :0', b'"landlord"\t:0', b'"\\u006candlord":0']
)
def test_key_twice_is_found_however_it_is_written(key: bytes) -> None:
    """A key that stands twice is refused, also with white space before its colon or written with escapes."""
    with pytest.raises(BadRecord) as caught:
        read_line(LINES[0][:-1] + b"," + key + b"}")
    assert caught.value.code == "duplicate_key"


def test_quote_in_a_text_does_not_hide_a_key() -> None:
    """A text that looks like a key does not make up for a key that stands twice."""
    line = LINES[0].replace(b'"id":"', b'"id":"\\u0022:', 1)
    with pytest.raises(BadRecord) as caught:
        read_line(line[:-1] + b',"outcome":"complete"}')
    assert caught.value.code == "duplicate_key"


def test_long_hand_harms_nobody(tmp_path: Path) -> None:
    """A hand of forty thousand acts is stored, and so are its neighbours."""
    long = json.loads(LINES[1])
    long["actions"] = [{"seat": 0, "act": "disconnect"}] * 40_000 + long["actions"]
    assert stored(tmp_path, LINES[0], json.dumps(long).encode(), LINES[2]) == (3, 0)


@pytest.mark.parametrize("first", [b"garbage", LINES[0][40:], b"\xef\xbb\xbf" + LINES[0][:200]])
def test_damaged_first_line_does_not_hide_the_format(first: bytes, tmp_path: Path) -> None:
    """The format is told by any line that names it."""
    assert stored(tmp_path, first, LINES[1], LINES[2]) == (2, 1)


def test_hands_of_a_named_format_stay(tmp_path: Path) -> None:
    """A file whose format had to be named is not read again, and not taken out, by a run that does not name it."""
    lines = (b"x" * 70_000, LINES[1], LINES[2])
    assert stored(tmp_path, *lines, options=Options(format="ddz/1")) == (2, 1)
    assert stored(tmp_path, *lines) == (0, 0)
    assert run_query(tmp_path / "store", "SELECT count(*) AS n FROM hands").to_pylist() == [{"n": 2}]


@pytest.mark.parametrize(
    "time", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", "1788-01-01T00:00:00Z"]
)
def test_time_out_of_all_reason(time: str, tmp_path: Path) -> None:
    """A time that no hand was played at is a rejection, and the views stay readable."""
    assert stored(tmp_path, changed(LINES[0], started_at=time), LINES[1]) == (1, 1)
    assert run_query(tmp_path / "store", "SELECT code FROM rejected_hands").to_pylist() == [
        {"code": "out_of_range"}
    ]


def test_largest_amounts_leave_the_views_readable(tmp_path: Path) -> None:
    """Amounts at the edge of what fits do not keep anybody from asking about the other hands."""
    edge = changed(
        LINES[0], balances=[-99999999999999] * 3, recorded={"scores": [2, -1, -1]},
        room={"rate": 10**10, "unit": 3 * 10**12},
    )  # fmt: skip
    assert stored(tmp_path, edge, *LINES[1:]) == (3, 0)
    rescore(tmp_path / "store", [load_rules(name) for name in ("happy", "jj-classic")])
    for view in ("scores", "reconciliation", "settlements", "flows"):
        assert run_query(tmp_path / "store", f"SELECT * FROM {view}").num_rows > 0


@pytest.mark.parametrize("number", ["1e400", "-1e999", "1" * 5000, "NaN", "Infinity"])
def test_number_that_nothing_can_hold(number: str, tmp_path: Path) -> None:
    """A number beyond all range is a rejection, also in a field that is only kept; it does not become another value."""
    kept = LINES[0][:-1] + b',"_room":' + number.encode() + b"}"
    assert stored(tmp_path, kept, LINES[1]) == (1, 1)


@pytest.mark.parametrize("depth", [3_000, 1_000_000])
@pytest.mark.parametrize("field", [b'"_x"', b'"actions"', b'"id"', b'"recorded"'])
def test_nested_too_deeply(depth: int, field: bytes, tmp_path: Path) -> None:
    """A record that is nested beyond all reason is a rejection, wherever it is."""
    deep = LINES[0][:-1] + b"," + field + b":" + b"[" * depth + b"]" * depth + b"}"
    assert stored(tmp_path, deep, b"[" * depth, LINES[1]) == (1, 2)


def test_letters_that_command(tmp_path: Path) -> None:
    """Names of ten thousand letters, with zeros, escapes and turned letters, are kept as they are; half a letter is a rejection."""
    names = ["n" * 10_000, "a\0b\x1b[31m\n\r\x9b", "\u202egpj\u2066\u2028"]
    assert stored(
        tmp_path, changed(LINES[0], players=names), changed(LINES[1], players=["\ud800", "b", "c"])
    ) == (1, 1)
    found = run_query(tmp_path / "store", "SELECT player FROM hand_seats ORDER BY seat").to_pylist()
    assert [row["player"] for row in found] == names


@pytest.mark.parametrize(
    "value",
    [
        "[" * 3_000 + "]" * 3_000,
        "{a=" * 3_000 + "1" + "}" * 3_000,
        "9" * 5_000,
        "0x" + "f" * 5_000,
        "1e9999999",
    ],
)
def test_rule_file_that_nothing_can_read(value: str, tmp_path: Path) -> None:
    """A rule file that is nested too deeply, or has a number that is too long, is one error in one line of readable length."""
    file = tmp_path / "house.toml"
    file.write_text(
        f'id = "house"\ntitle = {{ zh = "a", en = "a" }}\n[cap]\nsource = "jj: 1"\ndoublings = {value}\n',
        "utf-8",
    )
    with pytest.raises(UsageError) as caught:
        load_rules(str(file))
    assert caught.value.code in ("rule_syntax", "rule_value")
    assert len(str(caught.value)) < 1_100


@pytest.mark.parametrize("value", ["9" * 5_000, "-" + "9" * 5_000, "[" * 5_000])
def test_setting_that_nothing_can_hold(value: str) -> None:
    """A setting with a number of five thousand digits is refused like any other wrong value."""
    with pytest.raises(UsageError, match=r"^error\[rule_value\]") as caught:
        variants(load_rules("jj-classic"), [f"cap.doublings={value}"])
    assert len(str(caught.value)) < 1_100


def test_manifest_without_its_empty_parts_is_damaged(tmp_path: Path) -> None:
    """A manifest that lost some of its content is refused, before anything is taken for garbage."""
    stored(tmp_path, *LINES)
    path = tmp_path / "store" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"empty": {}}), "utf-8")
    with pytest.raises(StoreError) as caught:
        load_manifest(tmp_path / "store")
    assert caught.value.code == "store_damaged"
