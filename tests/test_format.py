"""The published description of `ddz/1`: its JSON Schema, its documentation, and the round trip of a line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ddz_analytics.hands import ACTS, Action, Hand, Recorded, Room
from ddz_analytics.parsers.ddz1 import json_schema, read_line, write_line

ROOT = Path(__file__).parents[1]
DOCUMENT = (ROOT / "docs" / "ddz1.md").read_text("utf-8")
SAMPLE = ROOT / "sample_logs" / "simulated" / "happy.ddz.jsonl"


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
