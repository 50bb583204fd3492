"""A folder of five hundred files of every format, of which fifty are broken in fifty ways."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import zstandard

from ddz_analytics.parsers import parsers
from ddz_analytics.store import open_store
from ddz_analytics.tabulate import hands_table
from ddz_analytics.verify import verify
from tests.broken import broken_files
from tests.fuzzing import seeds_of
from tests.killing import content
from tests.parsing import located, read
from tests.stores import column, line, take
from tests.test_sources import zipped

FILES, BROKEN, EACH = 500, 50, 15
PACKED = (bytes, bytes, gzip.compress, zstandard.compress, lambda data: zipped({"log": data}))


def samples() -> Iterator[tuple[bytes, int]]:
    """Some real files of each format, and how many hands each has; no hand and no id twice."""
    seen: set[str] = set()
    for form, parser in sorted(parsers().items()):
        for data in seeds_of(form)[:EACH]:
            records = read(parser, data)
            table, refused = hands_table(located(records), parser, "log")
            names = {
                *table["content_hash"].to_pylist(),
                *(f"{form} {id}" for id in table["source_hand_id"].to_pylist()),
            }
            if not refused and len(names) == 2 * len(records) and not names & seen:
                seen |= names
                yield data, len(records)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, dict[str, str]]:
    """The folder, the number of good hands in it, and the code of each broken file by its name."""
    folder, numbers, hands = tmp_path_factory.mktemp("mixed") / "logs", count(), 0
    folder.mkdir()

    def good() -> bytes:
        return line(f"good-{next(numbers)}")

    broken = broken_files(good)
    for name, (data, _) in broken.items():
        (folder / name).write_bytes(data)
    for place, (data, found) in enumerate(samples()):
        (folder / f"sample {place}").write_bytes(PACKED[place % len(PACKED)](data))
        hands += found
    for place in range(FILES - len(list(folder.iterdir()))):
        (folder / f"file {place}").write_bytes(PACKED[place % len(PACKED)](good()))
    return folder, hands + next(numbers), {name: code for name, (_, code) in broken.items()}


def test_every_good_hand_and_every_bad_record(
    folder: tuple[Path, int, dict[str, str]], tmp_path: Path
) -> None:
    """Every good hand is stored, and each of fifty bad records is rejected with its code."""
    logs, hands, codes = folder
    assert (len(list(logs.iterdir())), len(codes)) == (FILES, BROKEN)
    store = tmp_path / "store"
    summary = take(store, logs)
    total = summary.total
    assert (total.stored, total.duplicate, total.rejected) == (hands, 0, BROKEN)
    assert len(column(store, "hands", "hand_id")) == hands
    rejected = dict(
        zip(
            map(_file, column(store, "rejected", "source_path")),
            column(store, "rejected", "code"),
            strict=True,
        )
    )
    assert rejected == codes
    assert {_file(file.path) for file in summary.files if file.counts.rejected} == set(codes)
    assert verify(store) == []


def _file(path: str) -> str:
    """The name of a file, or of the zip file that a source is a member of."""
    return path.partition("/logs/")[2].partition("!")[0]


@pytest.mark.usefixtures("side_by_side")
def test_order_and_jobs_do_not_matter(
    folder: tuple[Path, int, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same files in another order, in one process or in two, once or once more, give the very same content."""
    logs, hands, codes = folder
    paths = sorted(logs.iterdir())
    take(tmp_path / "one", logs)
    expected = content(tmp_path / "one")
    random.Random(1).shuffle(paths)
    take(tmp_path / "two", *paths, jobs=2)
    assert content(tmp_path / "two") == expected
    take(tmp_path / "two", *reversed(paths), logs)
    assert content(tmp_path / "two") == expected
    paths.sort(key=lambda path: codes.get(path.name) == "conflict")  # what contradicts a hand comes after it
    for place in range(0, FILES, 125):  # bit by bit, in another order: other numbers, the same hands
        take(tmp_path / "bits", *paths[place : place + 125])
    assert content_hashes(tmp_path / "bits") == content_hashes(tmp_path / "one")
    assert len(content_hashes(tmp_path / "bits")) == hands


def content_hashes(store: Path) -> list[str]:
    return sorted(open_store(store).read("hands", ["content_hash"])["content_hash"].to_pylist())
