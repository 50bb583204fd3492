"""Ingest, another time: files that are unchanged, grown, rewritten or read anew, and runs that stop early or store nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddz_analytics.errors import UsageError
from ddz_analytics.ingest.summary import Counts
from ddz_analytics.parsers import parsers
from ddz_analytics.store import open_store
from tests.stores import column, content, counts_of, lines, played, take, take_counts


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


def test_second_run(store: Path, log: Path) -> None:
    """A second run over the same file reads, stores and publishes nothing and says that it is unchanged."""
    take(store, log)
    before = (store / "manifest.json").read_bytes()
    summary = take(store, log)
    assert (summary.total, list(summary.unchanged)) == (Counts(), [str(log)])
    assert (store / "manifest.json").read_bytes() == before


def test_grown_file(store: Path, log: Path) -> None:
    """Of a file that grew only what is new is read, and keeps its line numbers."""
    take(store, log)
    log.write_bytes(lines(0, 5) + b"{}\n")
    assert take_counts(store, log) == (2, 0, 1, 0)
    assert column(store, "hands", "source_line") == [1, 2, 3, 4, 5]
    assert column(store, "rejected", "line") == [6]
    assert take(store, log).unchanged == [str(log)]
    assert column(store, "source_files", "read") == [3, 3]


def test_file_that_grew_within_a_line(store: Path, log: Path) -> None:
    """A file that had ended within a line is read from its beginning when it is longer."""
    log.write_bytes(lines(0, 2)[:-20])
    assert take_counts(store, log) == (1, 0, 1, 0)
    log.write_bytes(lines(0, 3))
    assert take_counts(store, log) == (2, 1, 0, 0)


def test_rewritten_file(store: Path, log: Path) -> None:
    """A file with other content under the same name is read as a whole; what it said before stays."""
    take(store, log)
    log.write_bytes(lines(2, 5))
    assert take_counts(store, log) == (2, 1, 0, 0)
    assert ids(store) == ["0000", "0001", "0002", "0003", "0004"]


@pytest.mark.parametrize("grown", [False, True])
def test_new_version_of_a_parser(
    store: Path, log: Path, monkeypatch: pytest.MonkeyPatch, *, grown: bool
) -> None:
    """What an older version of a parser read is read again, in its place."""
    log.write_bytes(lines(0, 3) + b"{}\n")
    (log.parent / "other.jsonl").write_bytes(lines(5, 6))
    take(store, log, log.parent / "other.jsonl")
    monkeypatch.setattr(parsers()["ddz/1"], "version", 99)
    log.write_bytes(lines(0, 3) + b"{}\n" + (lines(3, 4) if grown else b""))
    assert take_counts(store, log) == (3 + grown, 0, 1, 0)
    assert sorted(ids(store)) == ["0000", "0001", "0002", *(["0003"] if grown else []), "0005"]
    assert [sorted(part.parsers.values()) for part in open_store(store).manifest.hands] == [[1], [99]]
    assert column(store, "rejected", "code") == ["missing_field"]
    assert len(open_store(store).manifest.ledger) == 2


def test_reparse(store: Path, log: Path, tmp_path: Path) -> None:
    """Reading again puts the hands of a source in the place of what it gave before, and all that was made of them."""
    (tmp_path / "other.jsonl").write_bytes(played(5))
    log.write_bytes(played(5, seed=2) + b"{}\n")
    take(store, tmp_path / "other.jsonl")
    take(store, log)
    assert take_counts(store, log, reparse=True) == (5, 0, 1, 0)
    assert column(store, "hands", "hand_id") == [*range(1, 6), *range(11, 16)]
    assert column(store, "facts", "hand_id") == [*range(1, 6), *range(11, 16)]
    assert set(column(store, "plays", "hand_id")) <= {*range(1, 6), *range(11, 16)}
    assert len(column(store, "rejected", "code")) == 1
    assert column(store, "source_files", "stored") == [5, 5]


def test_reparse_of_one_source_among_others(store: Path, log: Path, tmp_path: Path) -> None:
    """A part that holds hands of two sources keeps those of the other one, with their ids."""
    (tmp_path / "a.jsonl").write_bytes(played(4))
    take(store, tmp_path / "a.jsonl", log)
    take(store, tmp_path / "a.jsonl", reparse=True)
    assert column(store, "hands", "hand_id") == [5, 6, 7, 8, 9, 10, 11]
    assert column(store, "facts", "hand_id") == [5, 6, 7, 8, 9, 10, 11]
    assert take(store, tmp_path / "a.jsonl", log).total == Counts()


def test_reparse_spares_a_lost_file(store: Path, log: Path) -> None:
    """What a file of the same name said before, and can no longer say, is not given up for reading again."""
    take(store, log)
    log.write_bytes(lines(7, 9))
    take(store, log)
    assert take_counts(store, log, reparse=True) == (2, 0, 0, 0)
    assert sorted(ids(store)) == ["0000", "0001", "0002", "0007", "0008"]


def test_stop_after(store: Path, log: Path, tmp_path: Path) -> None:
    """Reading stops after so many records, and a later run reads what is left."""
    (tmp_path / "a.jsonl").write_bytes(lines(5, 6) + b"{}\n" + lines(6, 7))
    assert counts_of(take(store, tmp_path / "a.jsonl", log, stop_after=4, jobs=2)) == {
        "a.jsonl": Counts(read=3, stored=2, rejected=1),
        "log.jsonl": Counts(read=1, stored=1),
    }
    assert take_counts(store, tmp_path / "a.jsonl", log) == (2, 1, 0, 0)
    assert take(store, tmp_path / "a.jsonl", log).total == Counts()
    with pytest.raises(UsageError):
        take(store, log, stop_after=0)


def test_dry_run(store: Path, log: Path) -> None:
    """A dry run counts as a run would, and leaves no store, or the store as it was."""
    assert take_counts(store, log, dry_run=True) == (3, 0, 0, 0)
    assert not store.exists()
    take(store, log)
    before = content(store)
    log.write_bytes(lines(0, 4))
    assert take_counts(store, log, dry_run=True) == (1, 0, 0, 0)
    assert take_counts(store, log, dry_run=True, reparse=True) == (4, 0, 0, 0)
    assert content(store) == before
