"""The published description of `ddz/1`: its JSON Schema, its documentation, and the round trip of a line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import ACTS, Action, Hand, Recorded, Room
from ddz_analytics.parsers.ddz1 import json_schema, read_line, write_line

ROOT = Path(__file__).parents[1]
DOCUMENT = (ROOT / "docs" / "ddz1.md").read_text("utf-8")
SAMPLE = ROOT / "sample_logs" / "simulated" / "happy.ddz.jsonl"
LINE = SAMPLE.read_bytes().splitlines()[0]


def test_published_schema_is_that_of_the_structs() -> None:
    """The JSON Schema in the package is what the structs generate."""
    published = json.loads((ROOT / "ddz_analytics" / "ddz1.schema.json").read_text("utf-8"))
    assert published == json_schema()


@pytest.mark.parametrize("struct", [Hand, Action, Room, Recorded])
def test_every_field_is_documented(struct: type) -> None:
    """Every field of the format stands in its documentation."""
    fields = set(struct.__struct_encode_fields__) - {"_extra"}  # type: ignore[attr-defined] # a msgspec struct has them
    assert fields - set(re.findall(r"`(\w+)", DOCUMENT)) == set()


def test_every_act_is_documented() -> None:
    """Every act stands in the documentation."""
    assert set(ACTS) - set(re.findall(r"`(\w+)`", DOCUMENT)) == set()


def test_example_of_the_documentation_is_a_hand() -> None:
    """The example in the documentation can be read and written again."""
    example = json.loads(DOCUMENT[DOCUMENT.index("    {") :])
    line = json.dumps(example, separators=(",", ":")).encode()
    assert read_line(write_line(read_line(line))) == read_line(line)


def test_canonical_lines_come_back_as_they_were() -> None:
    """Reading and writing a canonical line gives the same bytes."""
    lines = SAMPLE.read_bytes().splitlines()
    assert [write_line(read_line(line)) for line in lines] == lines


def test_private_fields_are_kept() -> None:
    """A field that begins with an underscore comes back as it was."""
    line = SAMPLE.read_bytes().splitlines()[0][:-1] + b',"_note":{"a":[1,2]}}'
    hand = read_line(line)
    assert hand.extra == {"_note": {"a": [1, 2]}}
    assert json.loads(write_line(hand)) == json.loads(line)


@pytest.mark.parametrize(
    ("field", "value", "code", "says"),
    [
        ("started_at", "2026-02-30T00:00:00Z", "wrong_type", "of the calendar are expected, such as"),
        ("started_at", "2026-02-30T00:00:00Z", "wrong_type", "at `$.started_at` = '2026-02-30T00:00:00Z'"),
        ("balances", ["1.23456", 1, 2], "out_of_range", "at most 14 digits and four decimals - at `$.balances[0]` = '1.23456'"),
        ("room", {"unit": "-1"}, "out_of_range", "four decimals, not negative - at `$.room.unit` = '-1'"),
        ("actions", [{"seat": 5, "act": "pass"}], "out_of_range", "at `$.actions[0].seat` = 5"),
    ],
)  # fmt: skip
def test_fault_of_a_field_shows_its_value(field: str, value: object, code: str, says: str) -> None:
    """What does not fit is said in the words of the format, with the place and the value that stands there."""
    with pytest.raises(BadRecord) as error:
        read_line(json.dumps({**json.loads(LINE), field: value}).encode())
    assert error.value.code == code and says in error.value.detail and "regex" not in error.value.detail


def test_fault_of_a_text_names_what_is_wrong() -> None:
    """A mark of UTF-8 within a file and a control character are named."""
    for raw, code, says in (
        (b"\xef\xbb\xbf" + LINE, "bad_encoding", "a mark of UTF-8"),
        (LINE.replace(b"id", b"i\x01d", 1), "bad_json", "Invalid control character at character"),
    ):
        with pytest.raises(BadRecord) as error:
            read_line(raw)
        assert error.value.code == code and says in error.value.detail


@pytest.mark.parametrize("name", ["started_at", "ended_at"])
def test_times_are_never_rounded(name: str) -> None:
    """A time with more than six digits of a second is refused, also where escapes hide it; zeros behind the sixth change nothing."""
    text = json.dumps({**json.loads(LINE), name: "2026-01-01T00:00:00.@Z"})
    for fraction in ("123456789", "9999999", "0000001", "123456\\u0031", "00000000000000001"):
        with pytest.raises(BadRecord) as error:
            read_line(text.replace("@", fraction).encode())
        assert error.value.code == "out_of_range" and f"`$.{name}`" in error.value.detail
    for fraction, microsecond in (("123456", 123456), ("12345600", 123456), ("5", 500_000), ("00000000", 0)):
        read = getattr(read_line(text.replace("@", fraction).encode()), name)
        assert (read.second, read.microsecond) == (0, microsecond)
    note = text.replace(".@", "")[:-1] + ', "_ratio": 0.123456789}'
    assert read_line(note.encode()).extra == {"_ratio": 0.123456789}
