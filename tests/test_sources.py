"""Sources: files, folders and globs, plain or compressed, whole or cut off."""

from __future__ import annotations

import gzip
import io
import os
import threading
import warnings
import zipfile
import zlib
from pathlib import Path

import pytest
import zstandard

from ddz_analytics.errors import DdzError
from ddz_analytics.ingest import reading
from ddz_analytics.ingest.summary import Counts
from ddz_analytics.store import open_store
from tests.stores import column, counts_of, line, lines, played, take, take_counts

Packed = dict[str, bytes]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where a test keeps its store; none is there yet."""
    return tmp_path / "store"


def zipped(members: Packed) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name that comes twice
        for name, data in members.items():
            file.writestr(name.rstrip("~"), data)
    return archive.getvalue()


def cut_gzip() -> tuple[bytes, bytes]:
    """A gzip stream that is cut off within a line, and what can be read of it."""
    packed = gzip.compress(played(30))
    packed = packed[: len(packed) * 2 // 3]
    return packed, zlib.decompressobj(wbits=31).decompress(packed)


def cut_zstd() -> tuple[bytes, bytes]:
    """The same of a zstandard stream, of which only whole blocks can be read."""
    compressor = zstandard.ZstdCompressor().compressobj()
    packed = compressor.compress(played(30)[:-100]) + compressor.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    return packed, played(30)[:-100]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, lambda data: zipped({"log": data})])
def test_compressed(store: Path, tmp_path: Path, pack: object) -> None:
    """A compressed file is told by its content, whatever its name, and read like a plain one."""
    (tmp_path / "log.txt").write_bytes(pack(lines(0, 3) + b"{}\n"))  # type: ignore[operator]  # three functions of bytes
    assert take_counts(store, tmp_path / "log.txt") == (3, 0, 1, 0)
    assert column(store, "hands", "source_line") == [1, 2, 3]
    assert len(take(store, tmp_path / "log.txt").unchanged) == 1


def test_several_streams_in_one_file(store: Path, tmp_path: Path) -> None:
    """Compressed streams one after the other are read to the last."""
    (tmp_path / "a.gz").write_bytes(gzip.compress(lines(0, 3)) + gzip.compress(lines(3, 5)))
    (tmp_path / "b.zst").write_bytes(zstandard.compress(lines(5, 6)) + zstandard.compress(lines(6, 9)))
    assert take_counts(store, tmp_path / "a.gz", tmp_path / "b.zst") == (9, 0, 0, 0)


@pytest.mark.parametrize("cut", [cut_gzip, cut_zstd])
def test_cut_off(store: Path, tmp_path: Path, cut: object) -> None:
    """Of a stream that is cut off all that can be read is stored, and the record that was cut is rejected with its bytes."""
    packed, readable = cut()  # type: ignore[operator]  # two functions
    *whole, rest = readable.split(b"\n")
    assert whole and rest
    (tmp_path / "log").write_bytes(packed)
    assert take_counts(store, tmp_path / "log") == (len(whole), 0, 1, 0)
    assert column(store, "rejected", "code") == ["truncated"]
    assert column(store, "rejected", "line") == [len(whole) + 1]
    assert column(store, "rejected", "raw") == [rest]


def test_cut_off_at_a_line_end(store: Path, tmp_path: Path) -> None:
    """A stream that is cut off between two records is one rejection too, after a bad record also."""
    for name, data in (("a", lines(0, 3)), ("b", lines(3, 6) + b"{}\n")):
        packer = zlib.compressobj(wbits=31)
        (tmp_path / name).write_bytes(packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH))
    assert take_counts(store, tmp_path / "a", tmp_path / "b") == (6, 0, 3, 0)
    assert column(store, "rejected", "code") == ["truncated", "missing_field", "truncated"]
    assert column(store, "rejected", "line") == [4, 4, 5]


def test_wrong_checksum(store: Path, tmp_path: Path) -> None:
    """A stream whose checksum is wrong is stored as far as it goes, with a rejection."""
    packed = bytearray(gzip.compress(lines(0, 3)))
    packed[-6] ^= 1
    (tmp_path / "log").write_bytes(packed)
    assert take_counts(store, tmp_path / "log") == (3, 0, 1, 0)
    assert column(store, "rejected", "code") == ["truncated"]


@pytest.mark.parametrize(
    "data", [b"\x1f\x8bjunk", b"\x28\xb5\x2f\xfdjunk", zipped({"log": lines(0, 3)})[:-30], b"PK\x03\x04"]
)
def test_beyond_reading(store: Path, tmp_path: Path, data: bytes) -> None:
    """A file that only begins like a compressed one is one rejection."""
    (tmp_path / "log").write_bytes(data)
    assert take_counts(store, tmp_path / "log") == (0, 0, 1, 0)
    assert column(store, "rejected", "code") == ["truncated"]


def test_zip_members(store: Path, tmp_path: Path) -> None:
    """Each member of a zip file is a source, in order of names, but for folders and hidden files."""
    members = {
        "b.jsonl": lines(3, 5),
        "a/": b"",
        "a/x.jsonl": lines(0, 3),
        "__MACOSX/._b.jsonl": b"\0",
        "c.gz": gzip.compress(lines(4, 6)),
    }
    (tmp_path / "logs.zip").write_bytes(zipped(members))
    summary = take(store, tmp_path / "logs.zip")
    label = str(tmp_path / "logs.zip")
    assert {file.path: file.counts for file in summary.files} == {
        f"{label}!a/x.jsonl": Counts(3, 3),
        f"{label}!b.jsonl": Counts(2, 2),
        f"{label}!c.gz": Counts(2, 1, 1),
    }
    assert column(store, "hands", "source_path") == [f"{label}!a/x.jsonl"] * 3 + [f"{label}!b.jsonl"] * 2 + [
        f"{label}!c.gz"
    ]
    assert len(take(store, tmp_path / "logs.zip").unchanged) == 3


@pytest.mark.parametrize("name", ["/etc/log", "../log", "a/../../log", "a\\..\\log", "C:log"])
def test_zip_member_that_leads_out(store: Path, tmp_path: Path, name: str) -> None:
    """A member whose name leads out of the zip file is not read, and said so."""
    (tmp_path / "logs.zip").write_bytes(zipped({name: lines(0, 1), "b": lines(1, 2)}))
    assert take_counts(store, tmp_path / "logs.zip") == (1, 0, 1, 0)
    assert column(store, "rejected", "code") == ["unsupported_mode"]


def test_zip_members_that_cannot_be_read(store: Path, tmp_path: Path) -> None:
    """Members with one name, a zip within, and one that is encrypted are rejected, each on its own."""
    archive = zipped({"a": lines(0, 1), "a~": lines(1, 2), "b": zipped({"x": lines(2, 3)}), "c": lines(3, 4)})
    (tmp_path / "logs.zip").write_bytes(archive)
    assert take_counts(store, tmp_path / "logs.zip") == (1, 0, 3, 0)
    assert column(store, "rejected", "code") == ["unsupported_mode", "unsupported_mode", "not_text"]
    encrypted = bytearray(zipped({"a": lines(5, 6)}))
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[encrypted.index(header) + flags] |= 1
    (tmp_path / "secret.zip").write_bytes(encrypted)
    assert take_counts(store, tmp_path / "secret.zip") == (0, 0, 1, 0)


def test_damaged_zip_member(store: Path, tmp_path: Path) -> None:
    """A member whose checksum is wrong is rejected; the next one is whole."""
    archive = bytearray(zipped({"a": lines(0, 3), "b": lines(3, 5)}))
    archive[archive.index(b"PK\x01\x02") + 16] ^= 1
    archive[archive.index(b"PK\x03\x04") + 14] ^= 1
    (tmp_path / "logs.zip").write_bytes(archive)
    found = counts_of(take(store, tmp_path / "logs.zip"))
    assert found == {"logs.zip!a": Counts(read=1, rejected=1), "logs.zip!b": Counts(2, 2)}
    assert column(store, "rejected", "code") == ["truncated"]


def test_folder(store: Path, tmp_path: Path) -> None:
    """A folder is read with all below, sorted, without hidden files and without the store."""
    for name in ("z.jsonl", "a/b/y.jsonl", "a/x.jsonl", ".hidden", ".git/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(line(name))
    for _ in range(2):
        summary = take(store, tmp_path)
    assert [Path(path).relative_to(tmp_path).as_posix() for path in summary.unchanged] == [
        "a/b/y.jsonl",
        "a/x.jsonl",
        "z.jsonl",
    ]
    assert column(store, "hands", "source_hand_id") == ["a/b/y.jsonl", "a/x.jsonl", "z.jsonl"]


def test_a_file_named_twice(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that several paths name is read once, under the name it was given first."""
    monkeypatch.chdir(tmp_path)
    Path("log.jsonl").write_bytes(lines(0, 3))
    summary = take(store, "./log.jsonl", tmp_path / "log.jsonl", "*.jsonl")
    assert counts_of(summary) == {"log.jsonl": Counts(3, 3)}
    assert summary.files[0].path == "log.jsonl"


@pytest.mark.parametrize("path", ["missing.jsonl", "*.missing", "broken.jsonl"])
def test_missing_path(store: Path, tmp_path: Path, path: str) -> None:
    """A path that names nothing is an error; nothing is read and no store is made."""
    (tmp_path / "log.jsonl").write_bytes(lines(0, 3))
    (tmp_path / "broken.jsonl").symlink_to("nowhere")
    with pytest.raises(DdzError) as error:
        take(store, tmp_path / "log.jsonl", tmp_path / path)
    assert error.value.code == "path_missing"
    assert not store.exists()


def test_pipe(store: Path, tmp_path: Path) -> None:
    """A named pipe is read like standard input."""
    os.mkfifo(tmp_path / "pipe")
    writing = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(lines(0, 3),))
    writing.start()
    assert take_counts(store, tmp_path / "pipe") == (3, 0, 0, 0)
    writing.join()


def test_name_that_is_no_text(store: Path, tmp_path: Path) -> None:
    """A file whose name is not UTF-8 is read; its bytes are shown as escapes."""
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl")
    Path(path).write_bytes(lines(0, 1))
    take(store, path)
    assert column(store, "hands", "source_path") == [f"{tmp_path}/\\xff.jsonl"]


def test_many_small_files(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files share a task, and each keeps its own counts."""
    monkeypatch.setattr(reading, "_PIECES_PER_TASK", 3)
    for number in range(8):
        (tmp_path / f"{number}.jsonl").write_bytes(lines(number, number + 2))
    found = counts_of(take(store, tmp_path))
    assert found == {
        "0.jsonl": Counts(2, 2),
        **{f"{number}.jsonl": Counts(2, 1, 1) for number in range(1, 8)},
    }
    assert len(open_store(store).manifest.hands) == 1
