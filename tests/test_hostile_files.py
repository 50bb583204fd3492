"""Files that are not what a log should be: other encodings, bombs, links in circles, devices, damaged archives."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zipfile
from pathlib import Path
from random import Random

import pytest
import zstandard

from ddz_analytics import streams
from ddz_analytics.errors import DdzError
from ddz_analytics.ingest import planning, reading
from ddz_analytics.ingest.sources import find_sources
from ddz_analytics.store import exists, open_store
from tests.fuzzing import deleted, duplicated, flipped, overwritten, spliced, truncated
from tests.stores import column, counts_of, line, lines, take, take_counts
from tests.test_sources import zipped

CHINESE = b"".join(
    line(f"{number}", players=["张三丰", "李四", "王麻子"], table="一号桌") for number in range(3)
)
NAMES = ("张三丰", "李四", "王麻子")


def chinese(encoding: str) -> bytes:
    """Three hands of players with Chinese names, written as themselves, in an encoding."""
    text = CHINESE.decode("unicode_escape").encode("utf-16", "surrogatepass").decode("utf-16")
    return text.encode(encoding)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where a test keeps its store; none is there yet."""
    return tmp_path / "store"


def refused(store: Path, path: Path | str) -> tuple[str, str]:
    """The code and the detail of the one rejection that a file comes to."""
    assert take_counts(store, path) == (0, 0, 1, 0)
    (code,), (detail,) = column(store, "rejected", "code"), column(store, "rejected", "detail")
    return code, detail


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, zstandard.compress, lambda data: zipped({"log": data})]
)
def test_mark_of_utf8_is_no_part_of_a_log(store: Path, tmp_path: Path, pack: object) -> None:
    """UTF-8 is read with its mark at the beginning or without, in packed files too; records and lines stay what they are."""
    data = chinese("utf-8-sig").replace(b"\n", b"\n{}\n", 1)
    (tmp_path / "log").write_bytes(pack(data))  # type: ignore[operator]  # four functions of bytes
    assert take_counts(store, tmp_path / "log") == (3, 0, 1, 0)
    assert column(store, "hands", "player_0") == [NAMES[0]] * 3
    assert column(store, "hands", "source_line") == [1, 3, 4]


def test_file_with_a_mark_grows(store: Path, tmp_path: Path) -> None:
    """A file that begins with the mark of UTF-8 is read on from where it ended."""
    (tmp_path / "log").write_bytes(b"\xef\xbb\xbf" + lines(0, 2))
    assert take_counts(store, tmp_path / "log") == (2, 0, 0, 0)
    (tmp_path / "log").write_bytes(b"\xef\xbb\xbf" + lines(0, 4))
    assert take_counts(store, tmp_path / "log") == (2, 0, 0, 0)
    assert column(store, "hands", "source_line") == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-16-be", "UTF-16"), ("utf-32", "UTF-32"),
     ("gb18030", "GB18030"), ("gbk", "GB18030")],
)  # fmt: skip
@pytest.mark.parametrize("options", [{}, {"format": "ddz/1"}], ids=["told", "named"])
def test_other_encodings_are_refused_by_name(
    store: Path, tmp_path: Path, encoding: str, name: str, options: dict[str, str]
) -> None:
    """A log in another encoding than UTF-8 is refused as a whole, with what it looks like and how to convert it."""
    (tmp_path / "log").write_bytes(chinese(encoding))
    assert take_counts(store, tmp_path / "log", **options) == (0, 0, 1, 0)
    assert column(store, "rejected", "code") == ["bad_encoding"]
    (detail,) = column(store, "rejected", "detail")
    assert f"is {name} and not UTF-8: convert the log with `iconv -f {name} -t UTF-8`" in detail


def test_one_record_in_another_encoding(store: Path, tmp_path: Path) -> None:
    """One record in GB18030 among others is refused by itself, with its bytes and what it looks like."""
    foreign = chinese("gb18030").splitlines()[0]
    (tmp_path / "log").write_bytes(chinese("utf-8").replace(b'"0"', b'"9"') + foreign + b"\n" + lines(5, 7))
    assert take_counts(store, tmp_path / "log") == (5, 0, 1, 0)
    assert column(store, "rejected", "raw") == [foreign]
    assert "perhaps GB18030" in column(store, "rejected", "detail")[0]


def test_damaged_letter_is_no_other_encoding(store: Path, tmp_path: Path) -> None:
    """A record with a damaged letter is refused by itself; its file is none in another encoding."""
    bad = chinese("utf-8").splitlines(keepends=True)
    bad[1] = bad[1].replace("李".encode(), "李".encode()[:2])
    (tmp_path / "log").write_bytes(b"".join(bad))
    assert take_counts(store, tmp_path / "log") == (2, 0, 1, 0)
    assert column(store, "rejected", "code") == ["bad_encoding"]


def zstd_bomb(data: bytes, size: int) -> bytes:
    """A stream that begins with some data and swells to that many bytes more."""
    packer = zstandard.ZstdCompressor(level=19).compressobj()
    return packer.compress(data + bytes(size).replace(b"\0", b" ")) + packer.flush()


@pytest.mark.parametrize(
    "pack", [gzip.compress, lambda data: zstd_bomb(data, 0), lambda data: zipped({"log": gzip.compress(data)})],
    ids=["gzip", "zstd", "gzip in zip"],
)  # fmt: skip
def test_bomb(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: object) -> None:
    """Of data that swell beyond all reason what came before is stored, and the rest is one rejection."""
    monkeypatch.setattr(streams, "HARMLESS", 1 << 20)
    (tmp_path / "log").write_bytes(pack(lines(0, 3) + b" " * (20 << 20) + lines(3, 4)))  # type: ignore[operator]  # three functions
    assert take_counts(store, tmp_path / "log") == (3, 0, 1, 0)
    assert column(store, "rejected", "code") == ["too_large"]
    assert "unpack" in column(store, "rejected", "detail")[0]
    assert len(column(store, "rejected", "raw")[0]) < 1 << 17


def test_zip_bomb(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip file whose members together swell beyond all reason is one rejection; so is one whose members share their bytes."""
    monkeypatch.setattr(streams, "HARMLESS", 1 << 20)
    (tmp_path / "a.zip").write_bytes(
        zipped({f"{place}": lines(0, 1) + b" " * (1 << 20) for place in range(9)})
    )
    assert refused(store, tmp_path / "a.zip")[0] == "too_large"
    shared = bytearray(zipped({f"{place}": lines(0, 1) + b" " * 200_000 for place in range(9)}))
    first = shared.index(b"PK\x01\x02")
    for place in range(9):  # every member at the place of the first
        entry = [at for at in range(first, len(shared)) if shared[at : at + 4] == b"PK\x01\x02"][place]
        shared[entry + 42 : entry + 46] = bytes(4)
    (tmp_path / "b.zip").write_bytes(shared)
    monkeypatch.setattr(streams, "HARMLESS", 1 << 10)
    assert take_counts(store, tmp_path / "b.zip") == (0, 0, 1, 0)


def test_what_packs_well_is_no_bomb(store: Path, tmp_path: Path) -> None:
    """Some megabytes may be packed as tightly as they like."""
    (tmp_path / "log").write_bytes(gzip.compress(lines(0, 3) + b"\n" * (20 << 20)))
    assert take_counts(store, tmp_path / "log") == (3, 0, 0, 0)


def test_zip_member_that_is_a_link(store: Path, tmp_path: Path) -> None:
    """A member that is a link is not followed: it is a text of no format."""
    (tmp_path / "secret.jsonl").write_bytes(lines(0, 3))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        link = zipfile.ZipInfo("link.jsonl")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, str(tmp_path / "secret.jsonl"))
    (tmp_path / "a.zip").write_bytes(packed.getvalue())
    assert refused(store, tmp_path / "a.zip")[0] == "unsupported_mode"


def test_zip_member_whose_name_is_no_utf8(store: Path, tmp_path: Path) -> None:
    """The bytes of a member's name that are not UTF-8 are shown as escapes, never as other letters."""
    archive = zipped({"xx.jsonl": lines(0, 1)}).replace(b"xx.jsonl", "桌".encode("gbk") + b".jsonl")
    (tmp_path / "a.zip").write_bytes(archive)
    assert list(counts_of(take(store, tmp_path / "a.zip"))) == ["a.zip!\\xd7\\xc0.jsonl"]


def test_damaged_archives(store: Path, tmp_path: Path) -> None:
    """However a packed file is damaged, its records are accounted for and the others are read."""
    seeds = [
        zipped({"a": lines(0, 2), "b": gzip.compress(lines(2, 4))}),
        gzip.compress(lines(4, 6)),
        zstandard.compress(lines(6, 8)),
    ]
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", method) as file:
            file.writestr("x", lines(8, 10))
        seeds.append(packed.getvalue())
    rng = Random(20261130)
    ways = (flipped, flipped, overwritten, deleted, duplicated, truncated, spliced)
    for number in range(400):
        data = rng.choice(ways)(rng.choice(seeds), seeds, rng)
        (tmp_path / f"{number:03d}").write_bytes(data)
    (tmp_path / "whole").write_bytes(lines(20, 23))
    summary = take(store, tmp_path / "[0-9]*", tmp_path / "whole")
    assert counts_of(summary)["whole"].stored == 3
    assert summary.total.rejected > 200
    assert set(column(store, "rejected", "code")) <= {
        "truncated", "unsupported_mode", "not_text", "too_large", "bad_encoding", "bad_json", "wrong_type", "missing_field",
        "unknown_field", "out_of_range", "bad_cards", "deck", "deal_size", "duplicate_key", "conflict", "naive_time",
    }  # fmt: skip


def test_links_in_circles(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links that lead back to where they stand are not followed, below a folder and by `**`, and are told; so is one that is its own end."""
    logs = tmp_path / "logs"
    (logs / "deep" / ".hidden").mkdir(parents=True)
    for name in ("here", "deep/up"):
        (logs / name).symlink_to(logs)
    (logs / "deep" / "a.jsonl").write_bytes(lines(0, 3))
    (logs / "deep" / ".hidden" / "b.jsonl").write_bytes(lines(3, 4))
    monkeypatch.chdir(tmp_path)
    for pattern in ("logs", "logs/**/*.jsonl", f"{logs}/**/a.jsonl", "./**/deep/*.jsonl", "**/a*"):
        assert [Path(found.path).resolve() for found in find_sources([pattern], store).found] == [
            logs / "deep" / "a.jsonl"
        ], pattern
    assert take_counts(store, "logs/**") == (3, 0, 0, 0)
    (logs / "self.jsonl").symlink_to(logs / "self.jsonl")
    assert [(Path(path).name, why) for path, why in take(store, logs).passed_over] == [
        ("here", "folder_link"),
        ("self.jsonl", "dead_link"),
        ("up", "folder_link"),
    ]


def test_device(store: Path) -> None:
    """A device is refused before a byte of it is read."""
    if not Path("/dev/zero").is_char_device():
        pytest.skip("there is no /dev/zero")
    with pytest.raises(DdzError, match=r"^error\[input_output\]: a device is no log, /dev/zero"):
        take(store, "/dev/zero")
    assert not store.exists()


def test_folder_with_things_that_are_no_files(store: Path, tmp_path: Path) -> None:
    """Pipes and links to devices or to nothing below a folder are passed over, which is told, and the rest is read."""
    logs = tmp_path / "logs"
    logs.mkdir()
    os.mkfifo(logs / "pipe")
    (logs / "zero").symlink_to("/dev/zero")
    (logs / "broken").symlink_to("nowhere")
    (logs / "a.jsonl").write_bytes(lines(0, 2))
    summary = take(store, logs)
    assert summary.total.stored == 2
    assert [(Path(path).name, why) for path, why in summary.passed_over] == [
        ("broken", "dead_link"),
        ("pipe", "no_file"),
        ("zero", "no_file"),
    ]


def test_stores_are_no_logs(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store itself, its files and other stores are passed over, also when they are named; below a folder the store is no news."""
    (tmp_path / "a.jsonl").write_bytes(lines(0, 2))
    take(store, tmp_path / "a.jsonl")
    take(tmp_path / "other", tmp_path / "a.jsonl")
    part = next((store / "parts").glob("hands-0*"))
    summary = take(store, tmp_path, store, store / "parts", part, str(store / "p*" / "*"))
    assert (summary.total.read, len(summary.unchanged)) == (0, 1)
    assert {each.why for each in summary.passed_over} == {"store"}
    assert [Path(path).name for path, _ in summary.passed_over][:3] == ["other", store.name, "parts"]


def test_file_that_cannot_be_read(store: Path, tmp_path: Path) -> None:
    """A file that the system will not read is one error that names it, and the store stays as it was."""
    if not Path("/proc/self/mem").exists():
        pytest.skip("there is no /proc")
    (tmp_path / "a.jsonl").write_bytes(lines(0, 2))
    (tmp_path / "b.jsonl").symlink_to("/proc/self/mem")
    with pytest.raises(DdzError, match=r"^error\[input_output\]: the system says: .*b\.jsonl"):
        take(store, tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert not exists(store)


@pytest.mark.parametrize(
    ("module", "step"), [(planning, "survey"), (reading, "parse_pieces")], ids=["planned", "parsed"]
)
def test_file_that_vanishes(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object, step: str
) -> None:
    """A file that vanishes while a folder is read is one error that names it; the store is as before, and run again it is whole."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in "abc":
        (logs / f"{name}.jsonl").write_bytes(line(name))
    take(store, logs / "a.jsonl")
    before, original = open_store(store).manifest, getattr(module, step)

    def after_it_vanished(*given: object) -> object:
        (logs / "c.jsonl").unlink(missing_ok=True)
        return original(*given)

    monkeypatch.setattr(module, step, after_it_vanished)
    with pytest.raises(
        DdzError, match=r"^error\[input_output\]: the system says: No such file or directory, .*c\.jsonl"
    ):
        take(store, logs)
    monkeypatch.undo()
    assert open_store(store).manifest == before
    assert take_counts(store, logs) == (1, 0, 0, 0)
    assert column(store, "hands", "source_hand_id") == ["a", "b"]
