"""Files that are read once more: what was said of them before is told once, and the counts of a file are true of it."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import duckdb
import pytest

from ddz_analytics.info import info
from ddz_analytics.store import open_store
from tests.stores import column, line, lines, take, take_counts

BAD = line("bad", started_at="2026-01-01T00:00:00")
Row = tuple[int, int, int, int, int]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where a test keeps its store; none is there yet."""
    return tmp_path / "store"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log that is read, not written yet."""
    return tmp_path / "log.jsonl"


def row_of(store: Path, path: Path) -> Row:
    """What the store says of a file: read, stored, duplicate, rejected, skipped."""
    with duckdb.connect(store / "ddz.duckdb", read_only=True) as connection:
        question = "SELECT read, stored, duplicate, rejected, skipped FROM source_files WHERE path = ?"
        (row,) = connection.execute(question, [str(path)]).fetchall()
    found: Row = row
    return found


def test_a_bad_line_is_rejected_once(store: Path, log: Path) -> None:
    """A bad line of a file that changed twice stands in the quarantine once, and the counts are those of the file as it is."""
    log.write_bytes(b"x\n" + lines(0, 4))
    take(store, log)
    log.write_bytes(b"x\n" + lines(0, 3))
    assert take_counts(store, log) == (0, 3, 1, 0)
    log.write_bytes(b"x\n" + lines(0, 1) + lines(2, 3))
    assert [file.gone for file in take(store, log).files] == [1]
    assert column(store, "rejected", "line") == [1]
    assert row_of(store, log) == (3, 2, 0, 1, 0)


def test_a_mended_file_leaves_no_rejections(store: Path, log: Path) -> None:
    """The rejections of a file go when its faults are corrected, and the hands that are in it still count as stored."""
    log.write_bytes(lines(0, 2) + b"{}\n[]\n")
    take(store, log)
    log.write_bytes(lines(0, 4))
    take(store, log)
    assert column(store, "rejected", "line") == []
    assert row_of(store, log) == (4, 4, 0, 0, 0)


def test_a_packed_file_that_grew(store: Path, log: Path) -> None:
    """A packed file that grew is read as a whole and counted once; a hand that it has twice stays a duplicate."""
    log.write_bytes(gzip.compress(b"{}\n" + lines(0, 2) + lines(1, 2)))
    take(store, log)
    log.write_bytes(log.read_bytes() + gzip.compress(lines(2, 3)))
    assert [file.state for file in take(store, log).files] == ["grown"]
    assert (row_of(store, log), column(store, "rejected", "line")) == ((5, 3, 1, 1, 0), [1])


@pytest.mark.parametrize("packed", [False, True])
def test_a_sample_and_then_the_whole(store: Path, log: Path, *, packed: bool) -> None:
    """After a sample the whole takes its place: counts, rejections, and what is said of samples."""
    content = b"{}\n" + lines(0, 8)
    log.write_bytes(gzip.compress(content) if packed else content)
    take(store, log, sample="hand:1/4")
    assert info(store)["samples"] == ["hand:1/4"]
    assert [file.state for file in take(store, log).files] == ["again"]
    assert (row_of(store, log), column(store, "rejected", "line")) == ((9, 8, 0, 1, 0), [1])
    assert info(store)["samples"] == []
    assert take_counts(store, log) == (0, 0, 0, 0)


def test_two_samples_of_a_file(store: Path, log: Path) -> None:
    """Two samples of a file stand side by side, each record of it counted once."""
    log.write_bytes(b"{}\n" + lines(0, 20))
    take(store, log, sample="hand:1/4")
    take(store, log, sample="hand:2/4")
    stored = len(column(store, "hands", "hand_id"))
    assert row_of(store, log) == (21, stored, 0, 1, 20 - stored)
    assert info(store)["samples"] == ["hand:1/4", "hand:2/4"]
    for sample in ("hand:1/4", "hand:2/4"):
        assert take_counts(store, log, sample=sample) == (0, 0, 0, 0)


def test_reading_that_stopped(store: Path, log: Path) -> None:
    """What stopped early is counted once when the file is read to its end."""
    log.write_bytes(b"{}\n" + lines(0, 4))
    take(store, log, stop_after=2)
    assert [file.state for file in take(store, log).files] == ["again"]
    assert (row_of(store, log), column(store, "rejected", "line")) == ((5, 4, 0, 1, 0), [1])


def test_a_file_that_goes_back(store: Path, log: Path) -> None:
    """A file that has its former content again says what it said then, of the hands that stayed."""
    for content in (lines(0, 3) + b"{}\n", lines(1, 4), lines(0, 3) + b"{}\n"):
        log.write_bytes(content)
        take(store, log)
    assert (row_of(store, log), column(store, "rejected", "line")) == ((4, 3, 0, 1, 0), [4])


def test_a_conflict_is_rejected_once(store: Path, log: Path, tmp_path: Path) -> None:
    """A hand that contradicts one of another file is rejected once, however often its file is read."""
    (tmp_path / "a.jsonl").write_bytes(lines(0, 2))
    log.write_bytes(line("0001", players=["ann", "bo", "dee"]))
    take(store, tmp_path / "a.jsonl", log)
    log.write_bytes(line("0001", players=["ann", "bo", "dee"])[:-1] + b" \n" + lines(5, 6))
    take(store, log)
    assert (row_of(store, log), column(store, "rejected", "code")) == ((2, 1, 0, 1, 0), ["conflict"])


def test_a_conflict_within_a_file(store: Path, log: Path) -> None:
    """Of two hands with one id in one file it is said that one must go, for reading it again would change nothing."""
    other = [line("0000", players=["ann", "bo", name]) for name in ("dee", "eve")]
    log.write_bytes(lines(0, 1) + other[0])
    take(store, log)
    log.write_bytes(lines(0, 1) + other[0] + other[1])
    take(store, log)
    told = f"another hand of this table and id, with other content, stands in the same file, at {log}:1: leave one of them out"
    assert column(store, "rejected", "detail") == [told, told]
    take(store, log, reparse=True)
    assert column(store, "rejected", "detail") == [told, told]


def test_a_file_that_is_none_any_more(store: Path, log: Path) -> None:
    """A log that became something else has the rejection that says so, and none of its own; its hands stay."""
    log.write_bytes(lines(0, 2) + b"{}\n")
    take(store, log)
    log.write_bytes(b"\0\1")
    assert [(file.state, file.gone) for file in take(store, log).files] == [("changed", 2)]
    assert (row_of(store, log), column(store, "rejected", "code")) == ((1, 0, 0, 1, 0), ["not_text"])
    assert len(column(store, "hands", "hand_id")) == 2


def test_reparse_takes_the_place_of_all_that_is_in_the_file(store: Path, log: Path) -> None:
    """After a file grew and changed, `--reparse` replaces all hands that it has."""
    log.write_bytes(gzip.compress(lines(0, 2)))
    take(store, log)
    log.write_bytes(gzip.compress(lines(1, 3)))
    take(store, log)
    assert take_counts(store, log, reparse=True) == (2, 0, 0, 0)
    assert column(store, "hands", "source_hand_id") == ["0000", "0001", "0002"]


@pytest.mark.parametrize("seed", range(3))
def test_any_history_of_files(store: Path, tmp_path: Path, seed: int) -> None:
    """Whatever happens to some files, each row of `source_files` adds up to the records, and the rejections to those told."""
    drawn = random.Random(seed)
    files = [tmp_path / name for name in ("a.jsonl", "b.jsonl.gz", "c.jsonl")]
    contents = {file: b"" for file in files}
    for _ in range(7):
        for file in files:
            begin = drawn.randrange(12)
            more = drawn.choice((BAD, lines(begin, begin + 3), b""))
            contents[file] = drawn.choice((contents[file] + more, more, contents[file]))
            file.write_bytes(gzip.compress(contents[file]) if file.suffix == ".gz" else contents[file])
        take(store, *files, sample=drawn.choice(("", "", "hand:1/2")), reparse=drawn.random() < 0.2)
        told = {file: row_of(store, file) for file in files}
        rejected = column(store, "rejected", "source_path")
        for file, (read, *parts) in told.items():
            assert read == sum(parts) == contents[file].count(b"\n")
            assert parts[2] == rejected.count(str(file))
            assert parts[1] >= 0 <= parts[3]
    assert {entry.path for entry in open_store(store).manifest.ledger} == set(map(str, files))
