"""However big a record is or pretends to be, reading it takes no more memory than a bound, and ends in a code."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import zstandard

from ddz_analytics.streams import HARMLESS, MOST_SWELLING
from tests.stores import column, line

MB = 1 << 20
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
# The peak is asked for in the process itself: what the system tells its parent counts the parent's own memory at the fork.
INGEST = """
import atexit, re
from pathlib import Path
from ddz_analytics.cli import main
atexit.register(lambda: print(re.search(r"VmHWM:\\s+([0-9]+) kB", Path("/proc/self/status").read_text())[1]))
main()
"""
# megabytes of resident memory; an ingest of three hands takes 200
FLAT = 400  # what is read in blocks
TREE = 1500  # what has to be taken apart before it can be refused: a record of 16 MB
LONG = 2200  # hands of half a million acts, each act against the rules

HEAD = line("a")[:-2]


def most_megabytes(store: Path, log: Path) -> int:
    """The most memory that `ddz ingest` of a log took, which must end well."""
    command = [
        sys.executable,
        "-c",
        INGEST,
        "ingest",
        "--quiet",
        "--jobs",
        "1",
        "--store",
        str(store),
        str(log),
    ]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return int(run.stdout.split()[-1]) // 1024


def written(path: Path, pieces: Iterable[bytes]) -> Path:
    """A file of some pieces."""
    with path.open("wb") as file:
        file.writelines(pieces)
    return path


def filled(unit: bytes) -> bytes:
    """A record of almost 16 MB with a field of so many units."""
    return HEAD + b',"_x":[' + unit * ((16 * MB - 2000) // len(unit)) + b"0]}\n"


def sparse(path: Path, size: int) -> Path:
    """A log of a hand, of a line with so many zeros, and of another hand."""
    with path.open("wb") as file:
        file.write(line("a") + HEAD)
        file.seek(size, os.SEEK_CUR)
        file.write(b"\n" + line("b"))
    return path


def zstd_bomb(data: bytes, size: int) -> bytes:
    """Some data and so many blanks, packed."""
    packer = zstandard.ZstdCompressor().compressobj()
    blanks = b"".join(packer.compress(b" " * MB) for _ in range(size // MB))
    return zstandard.compress(data) + blanks + packer.flush()


def check_line(folder: Path, size: int) -> None:
    """A line of any size is one rejection, of which the beginning is kept, and its neighbours are stored."""
    assert most_megabytes(folder / "store", sparse(folder / "log", size)) < FLAT
    assert column(folder / "store", "hands", "source_hand_id") == ["a", "b"]
    assert column(folder / "store", "rejected", "code") == ["too_large"]
    assert column(folder / "store", "rejected", "line") == [2]
    assert len(column(folder / "store", "rejected", "raw")[0]) <= 64 * 1024


def test_line_of_a_hundred_megabytes(tmp_path: Path) -> None:
    """A line of a hundred megabytes is read in blocks and refused."""
    check_line(tmp_path, 100 * MB)


@pytest.mark.long
def test_line_of_a_gigabyte(tmp_path: Path) -> None:
    """A line of a gigabyte is read in blocks and refused."""
    check_line(tmp_path, 1024 * MB)


@pytest.mark.parametrize(
    ("pack", "size"),
    [
        (lambda data, size: gzip.compress(data + b" " * size), 2 * HARMLESS),
        pytest.param(zstd_bomb, 32 * HARMLESS, marks=pytest.mark.long),
    ],
    ids=["gzip", "zstd"],
)
def test_bomb(tmp_path: Path, pack: Callable[[bytes, int], bytes], size: int) -> None:
    """A packed file that swells beyond all reason is read as far as reason goes, in bounded memory, and then refused."""
    packed = pack(line("a") + HEAD, size)
    assert len(packed) * MOST_SWELLING < size
    assert most_megabytes(tmp_path / "store", written(tmp_path / "log", [packed])) < FLAT
    assert column(tmp_path / "store", "hands", "source_hand_id") == ["a"]
    assert column(tmp_path / "store", "rejected", "code") == ["too_large"]


@pytest.mark.parametrize(
    ("unit", "code"),
    [(b"[],", "missing_field"), (b"9" * 4000 + b",", "missing_field"), (b"[", "bad_json")],
    ids=["lists", "numbers", "deep"],
)
def test_records_of_sixteen_megabytes(tmp_path: Path, unit: bytes, code: str) -> None:
    """Records as large as they may be, full of what takes most memory, are refused one after the other."""
    record = filled(unit).replace(b'"id": "a",', b"")
    log = written(tmp_path / "log", [line("a"), record, record, line("b")])
    assert most_megabytes(tmp_path / "store", log) < TREE
    assert column(tmp_path / "store", "hands", "source_hand_id") == ["a", "b"]
    assert column(tmp_path / "store", "rejected", "code") == [code] * 2


@pytest.mark.long
def test_hands_without_end(tmp_path: Path) -> None:
    """Hands of half a million acts, all of them faults, are stored in bounded memory, however many there are."""
    acts = b'"actions": [' + b'{"seat":0,"act":"pass"},' * 600_000 + b'{"seat":0,"act":"pass"}]'
    log = written(
        tmp_path / "log", (line(f"{number}").replace(b'"actions": []', acts) for number in range(8))
    )
    assert most_megabytes(tmp_path / "store", log) < LONG
    assert set(column(tmp_path / "store", "facts", "replay_status")) == {"faulty"}
    assert len(column(tmp_path / "store", "hands", "hand_id")) == 8
