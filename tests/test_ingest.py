"""Ingest: what is read, counted, stored, kept as a duplicate or a conflict."""

from __future__ import annotations

import io
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from ddz_analytics.errors import DdzError, UsageError
from ddz_analytics.ingest import Options, ingest, intake, reading, sources
from ddz_analytics.ingest.reading import Progress
from ddz_analytics.ingest.summary import Counts
from ddz_analytics.parsers import parsers
from ddz_analytics.store import open_store, open_writer
from tests.stores import column, content, counts_of, line, lines, parts_of, played, take, take_counts


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where a test keeps its store; none is there yet."""
    return tmp_path / "store"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of three hands."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(0, 3))
    return path


def ids(store: Path) -> list[str]:
    return [str(each) for each in column(store, "hands", "source_hand_id")]


def test_read_and_stored(store: Path, tmp_path: Path) -> None:
    """Every record of every source is stored, duplicate, rejected or skipped, in the summary and in the store."""
    (tmp_path / "a.jsonl").write_bytes(lines(0, 3) + b"{}\n\nnonsense\n")
    (tmp_path / "b.jsonl").write_bytes(lines(2, 5))
    (tmp_path / "c.bin").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "d.txt").write_bytes(b"dear diary\n")
    (tmp_path / "e.jsonl").touch()
    found = counts_of(take(store, tmp_path / "*.*"))
    assert found == {
        "a.jsonl": Counts(read=5, stored=3, rejected=2),
        "b.jsonl": Counts(read=3, stored=2, duplicate=1),
        "c.bin": Counts(read=1, rejected=1),
        "d.txt": Counts(read=1, rejected=1),
        "e.jsonl": Counts(),
    }
    assert ids(store) == ["0000", "0001", "0002", "0003", "0004"]
    assert column(store, "hands", "hand_id") == [1, 2, 3, 4, 5]
    assert column(store, "rejected", "code") == ["not_text", "unsupported_mode", "missing_field", "bad_json"]
    assert column(store, "rejected", "line") == [1, 1, 4, 6]
    assert column(store, "rejected", "raw")[2:] == [b"{}", b"nonsense"]
    entries = open_store(store).manifest.ledger
    assert all(each.read == each.stored + each.duplicate + each.rejected + each.skipped for each in entries)
    assert column(store, "source_files", "stored") == [3, 2, 0, 0, 0]


def test_summary_as_json(store: Path, log: Path) -> None:
    """The summary names each file with its format and counts, the total, and what was unchanged."""
    counts = {"read": 3, "stored": 3, "duplicate": 0, "rejected": 0, "skipped": 0}
    assert take(store, log).as_json() == {
        "files": [{"path": str(log), "format": "ddz/1", **counts, "state": "new", "gone": 0}],
        "total": counts,
        "unchanged": [],
        "rejected_by_code": [],
        "replaced_conflicts": 0,
    }


@pytest.mark.usefixtures("side_by_side")
def test_any_number_of_jobs(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process and two write the same parts, byte for byte, of big and small files, in whichever order these are named."""
    monkeypatch.setattr(sources, "CUT_EVERY", 20_000)
    monkeypatch.setattr(reading, "CUT_EVERY", 20_000)
    monkeypatch.setattr(intake, "HANDS_PER_PART", 30)
    (tmp_path / "big.jsonl").write_bytes(played(100) + b"{}\n")
    (tmp_path / "corrected.jsonl").write_bytes(played(2).replace(b'"ms":', b'"ms":1'))
    for number in range(5):
        (tmp_path / f"small-{number}.jsonl").write_bytes(lines(number, number + 2))
    take(store, tmp_path / "*.jsonl")
    take(tmp_path / "store2", tmp_path / "*.jsonl", jobs=2)
    assert parts_of(store) == parts_of(tmp_path / "store2")
    named = sorted(tmp_path.glob("*.jsonl"), reverse=True)
    take(tmp_path / "store3", *named, *named, jobs=2)
    assert parts_of(tmp_path / "store3") == parts_of(store)
    assert [part.rows for part in open_store(store).manifest.hands] == [26, 27, 26, 27]
    assert column(store, "rejected", "code") == ["missing_field", "conflict", "conflict"]


def test_lines_of_pieces(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is read in pieces keeps its line numbers and every one of its lines."""
    monkeypatch.setattr(sources, "CUT_EVERY", 1000)
    monkeypatch.setattr(reading, "CUT_EVERY", 1000)
    (tmp_path / "log.jsonl").write_bytes(lines(0, 10) + b"\n{}\n" + lines(10, 20) + b"{}")
    assert take_counts(store, tmp_path / "log.jsonl") == (20, 0, 2, 0)
    assert column(store, "hands", "source_line") == [*range(1, 11), *range(13, 23)]
    assert column(store, "rejected", "line") == [12, 23]


def test_progress(store: Path, log: Path) -> None:
    """Whoever watches is told of bytes and hands, up to the last."""
    seen: list[Progress] = []
    take(store, log, watch=seen.append)
    size = log.stat().st_size
    assert seen == [Progress(size, size, 3, 0), Progress(size, size, 3, 3)]


def test_duplicates(store: Path, log: Path, tmp_path: Path) -> None:
    """A hand is stored once, however often and in whatever file it comes."""
    log.write_bytes(lines(0, 3) + lines(1, 2))
    assert take_counts(store, log) == (3, 1, 0, 0)
    shutil.copy(log, tmp_path / "copy.jsonl")
    assert take_counts(store, tmp_path / "copy.jsonl") == (0, 4, 0, 0)


def test_conflict(store: Path, log: Path, tmp_path: Path) -> None:
    """A hand of the same table and id with other content is rejected as a conflict, with its bytes."""
    take(store, log)
    corrected = line("0001", players=["ann", "bo", "dee"])
    (tmp_path / "corrected.jsonl").write_bytes(
        line("0009") + corrected + line("0001", table="t2") + corrected
    )
    assert take_counts(store, tmp_path / "corrected.jsonl") == (2, 0, 2, 0)
    assert column(store, "rejected", "code") == ["conflict", "conflict"]
    assert column(store, "rejected", "raw") == [corrected.rstrip()] * 2
    assert column(store, "rejected", "line") == [2, 4]
    assert ids(store) == ["0000", "0001", "0002", "0009", "0001"]


def test_conflict_within_a_run(store: Path, tmp_path: Path) -> None:
    """Of two hands that contradict each other the first in order is stored."""
    (tmp_path / "b.jsonl").write_bytes(line("1", players=["ann", "bo", "dee"]))
    (tmp_path / "a.jsonl").write_bytes(line("1") + line("1"))
    found = counts_of(take(store, tmp_path / "b.jsonl", tmp_path / "a.jsonl"))
    assert found == {"a.jsonl": Counts(2, 1, 1), "b.jsonl": Counts(read=1, rejected=1)}
    assert column(store, "hands", "player_2") == ["cy"]


def test_dedupe_by_id(store: Path, log: Path, tmp_path: Path) -> None:
    """By id, a hand of the same table and id is a duplicate whatever it says."""
    take(store, log)
    (tmp_path / "other.jsonl").write_bytes(
        line("0001", players=["ann", "bo", "dee"]) + line("7") + line("7", first=1)
    )
    assert take_counts(store, tmp_path / "other.jsonl", dedupe="id") == (1, 2, 0, 0)


def test_no_dedupe(store: Path, log: Path, tmp_path: Path) -> None:
    """Without deduplication everything is stored, contradictions too."""
    take(store, log)
    (tmp_path / "other.jsonl").write_bytes(lines(0, 2) + line("0001", first=1))
    assert take_counts(store, tmp_path / "other.jsonl", dedupe="none") == (3, 0, 0, 0)


def test_time_zone(store: Path, log: Path, tmp_path: Path) -> None:
    """A time without offset is rejected unless a zone is named; the zone of the first ingest is the store's."""
    log.write_bytes(line("1", started_at="2026-01-02T11:00:00"))
    assert take_counts(tmp_path / "other", log) == (0, 0, 1, 0)
    assert open_store(tmp_path / "other").manifest.time_zone == "UTC"
    assert take_counts(store, log, tz="Asia/Shanghai") == (1, 0, 0, 0)
    assert column(store, "hands", "started_at") == [datetime(2026, 1, 2, 3, tzinfo=UTC)]
    log.write_bytes(line("2", started_at="2026-01-02T11:00:00"))
    take(store, log, tz="Europe/Berlin")
    assert column(store, "hands", "started_at")[1] == datetime(2026, 1, 2, 10, tzinfo=UTC)
    assert open_store(store).manifest.time_zone == "Asia/Shanghai"


def test_hour_that_the_clock_shows_twice(store: Path, log: Path) -> None:
    """A local time that came twice, or never, is rejected and not guessed at."""
    log.write_bytes(line("1", started_at="2026-10-25T02:30:00") + line("2", ended_at="2026-03-29T02:30:00"))
    assert take_counts(store, log, tz="Europe/Berlin") == (0, 0, 2, 0)
    assert column(store, "rejected", "code") == ["naive_time"] * 2
    with pytest.raises(UsageError) as error:
        take(store, log, tz="Mars/Olympus")
    assert error.value.code == "time_zone"


@pytest.mark.usefixtures("side_by_side")
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted(store: Path, log: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """An interrupted ingest publishes nothing, takes its working files with it and lets go of the lock."""
    take(store, log)
    before, listed = content(store), sorted(store.rglob("*"))
    monkeypatch.setattr(sources, "CUT_EVERY", 20_000)
    monkeypatch.setattr(intake, "HANDS_PER_PART", 10)
    log.write_bytes(played(40))

    def interrupt(progress: Progress) -> None:
        if progress.hands_stored:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(store, [str(log)], Options(jobs=jobs, watch=interrupt))
    assert (content(store), sorted(store.rglob("*"))) == (before, listed)
    with open_writer(store):
        pass


def test_failing_parser(store: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that fails is one clear error that names it and the file, and nothing is stored."""

    def fail(stream: object, source: object) -> object:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr(parsers()["ddz/1"], "parse_heads", fail)
    with pytest.raises(DdzError, match="ddz/1 failed: ZeroDivisionError: by nought") as error:
        take(store, log)
    assert (error.value.code, error.value.where) == ("parser_failed", str(log))


def test_standard_input(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads standard input."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(lines(0, 3))))
    assert counts_of(take(store, "-")) == {"-": Counts(read=3, stored=3)}
    assert column(store, "hands", "source_path") == ["-"] * 3


def test_wrong_format(store: Path, log: Path) -> None:
    """A format that is named is the one that is read; an unknown one is a usage error."""
    assert take(store, log, format="rlcard-trace").total.stored == 0
    assert take_counts(store, log) == (3, 0, 0, 0)
    assert len(open_store(store).manifest.ledger) == 1
    with pytest.raises(UsageError) as error:
        take(store, log, format="tarot")
    assert error.value.code == "unknown_format"
