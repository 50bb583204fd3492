"""The names under which a store knows files."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from ddz_analytics.ingest.labels import file_label
from tests.stores import column, lines, take


@pytest.mark.parametrize(
    ("name", "label"),
    [
        (b"logs/a b.jsonl", "logs/a b.jsonl"),
        ("日志.jsonl".encode(), "日志.jsonl"),
        (b"a\\b", "a\\b"),
        (b"\xff", "\\xff"),
        (b"\\xff", "\\x5cxff"),
        (b"\\\xff", "\\x5c\\xff"),
        (b"z.zip!a", "z.zip\\x21a"),
        (b"-", "\\x2d"),
    ],
)
def test_the_name_of_a_file(name: bytes, label: str) -> None:
    """A file goes by its path, with escapes where that is no text or looks like another name."""
    assert file_label(os.fsdecode(name)) == label


def test_no_two_files_have_one_name(tmp_path: Path) -> None:
    """Files whose names differ in bytes, or one of which looks like a member of a zip file, are counted each by itself."""
    folder = tmp_path / "logs"
    folder.mkdir()
    names = [b"\xff.jsonl", b"\\xff.jsonl", b"z.zip!a.jsonl"]
    for place, name in enumerate(names):
        (folder / os.fsdecode(name)).write_bytes(lines(place, place + 1))
    with zipfile.ZipFile(folder / "z.zip", "w") as archive:
        archive.writestr("a.jsonl", lines(3, 4))
    counts = [file.counts.stored for file in take(tmp_path / "store", folder).files]
    assert counts == [1, 1, 1, 1]
    assert len(set(column(tmp_path / "store", "hands", "source_path"))) == 4
