"""The bytes of a source, opened by what they begin with: plain, gzip, zstd, or a member of a zip file; and packed, when written.

A compressed stream that ends too early, is damaged or swells beyond all reason reads as if it ended there, with everything that
came before; its `fault` says what was wrong. A mark of UTF-8 at the beginning is no part of the content.
"""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, TextIO, cast

import zstandard

from ddz_analytics.encodings import UTF8_MARK
from ddz_analytics.errors import BadRecord, DdzError

BLOCK = 1 << 20  # bytes asked for at once
MOST_SWELLING = 200  # times the packed size; logs pack to a tenth
HARMLESS = 64 << 20  # what stays below this may be packed as tightly as it likes
_ZSTD_STEP = 4096  # compressed bytes a step: a step of the worst case swells to 128 MB
_DAMAGE = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zipfile.BadZipFile, zlib.error, zstandard.ZstdError)
# what else the library raises for a zip file or a member that is damaged, encrypted, or packed in a way that it does not know
_ZIP_FAULTS = (*_DAMAGE, NotImplementedError, RuntimeError, ValueError, struct.error)
_LINE_END = 10
_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", (b"PK\x03\x04", b"PK\x05\x06")

Kind = Literal["plain", "gzip", "zstd", "zip"]
Packed = Literal["", "gz", "zst"]
ReadSome = Callable[[int], bytes | memoryview]


@dataclass(frozen=True)
class Place:
    """Where a source's bytes are: a file (from byte `start` up to `end`), or the member of a zip file with that index."""

    path: Path
    member: int | None = None
    start: int = 0
    end: int | None = None


class _Content(io.RawIOBase):
    """Some bytes read through a function that gives at most as many as asked, none at the end; `close` is called once."""

    def __init__(self, read_some: ReadSome, close: Callable[[], None], most: int | None = None) -> None:
        super().__init__()
        self._read_some = read_some
        self._close = close
        self._left = most
        self.fault: BadRecord | None = None
        self.ends_a_line = True  # as far as it was read

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # typeshed names a wider buffer
        """The next bytes; 0 at the end, be it a good or a bad one."""
        if self.fault:
            return 0
        try:
            found = self._read_some(len(buffer))
        except (*_DAMAGE, OSError) as error:
            # The disk says a number; bzip2 calls its damage an OSError too, and says none.
            if isinstance(error, OSError) and error.errno is not None:
                raise
            self.fault = BadRecord("truncated", f"the compressed data end too early or are damaged: {error}")
            return 0
        if self._left is not None:
            self._left -= len(found)
            if self._left < 0:
                self.fault = bomb()
                return 0
        buffer[: len(found)] = found
        if found:
            self.ends_a_line = found[-1] == _LINE_END
        return len(found)

    def close(self) -> None:
        """Close what the bytes come from."""
        if not self.closed:
            self._close()
        super().close()


class Stream(io.BufferedReader):
    """A source's bytes after decompression."""

    def __init__(self, content: _Content) -> None:
        """Buffer some content."""
        super().__init__(content, BLOCK)
        self._content = content

    @property
    def fault(self) -> BadRecord | None:
        """What was wrong with the compressed data, as far as they were read."""
        return self._content.fault

    @property
    def ends_a_line(self) -> bool:
        """Whether what was read so far ends at a line end."""
        return self._content.ends_a_line


class Opener(ExitStack):
    """Opens places one after the other; a zip file stays open for its next member."""

    _archive: tuple[Path, zipfile.ZipFile] | None = None

    def archive(self, path: Path) -> zipfile.ZipFile:
        """The zip file at a path; raises `zipfile.BadZipFile`."""
        if self._archive is None or self._archive[0] != path:
            self.close()
            with _as_bad_zip():
                self._archive = path, self.enter_context(zipfile.ZipFile(path))
        return self._archive[1]

    def open(self, place: Place) -> Stream:
        """The content of a place; raises `zipfile.BadZipFile` for a member that cannot be read."""
        if place.member is None:
            file = place.path.open("rb")
            file.seek(place.start)
            most = most_bytes(os.fstat(file.fileno()).st_size)
            return _decompressed(Stream(_Content(_up_to(file, place.end), file.close)), place.start, most)
        archive = self.archive(place.path)
        info = archive.infolist()[place.member]
        with _as_bad_zip():
            member = cast(zipfile.ZipExtFile, archive.open(info))
        most = most_bytes(info.compress_size)
        return _decompressed(Stream(_Content(member.read1, member.close, most)), 0, most)


@contextmanager
def _as_bad_zip() -> Iterator[None]:
    """Whatever the library finds wrong with a zip file is `zipfile.BadZipFile`; a disk that fails is not."""
    try:
        yield
    except _ZIP_FAULTS as error:
        raise zipfile.BadZipFile(str(error)) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # it points to a place before the beginning of the file
            raise
        raise zipfile.BadZipFile("it points out of itself") from error


def standard_input() -> TextIO:
    """What the command is given through a pipe; raises DdzError `input_output` where it came closed."""
    if sys.stdin is None:
        mend = "give it something to read, or name a file"
        raise DdzError("input_output", "standard input is closed", mend=mend)
    return sys.stdin


def packed_as(name: str) -> Packed:
    """How a file that is to be written is packed, by the end of its name."""
    ends: tuple[Packed, ...] = ("gz", "zst")
    return next((end for end in ends if name.endswith(f".{end}")), "")


def packing(file: BinaryIO, packed: Packed) -> AbstractContextManager[BinaryIO]:
    """A file to write to, through the packing; the same content gives the same bytes."""
    if packed == "gz":
        return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0))
    if packed == "zst":
        return zstandard.ZstdCompressor().stream_writer(file, closefd=False)
    return nullcontext(file)


def most_bytes(packed: int) -> int:
    """How many bytes may come out of so many packed ones."""
    return max(HARMLESS, MOST_SWELLING * packed)


def bomb() -> BadRecord:
    """What is wrong with data that swell beyond all reason."""
    detail = f"the compressed data swell to more than {MOST_SWELLING} times their size: if they are meant, unpack them first"
    return BadRecord("too_large", detail)


def kind_of(head: bytes) -> Kind:
    """What bytes that begin so are."""
    if head.startswith(_GZIP):
        return "gzip"
    if head.startswith(_ZSTD):
        return "zstd"
    return "zip" if head.startswith(_ZIP) else "plain"


def _up_to(file: BinaryIO, end: int | None) -> ReadSome:
    if end is None:
        return file.read
    return lambda size: file.read(min(size, end - file.tell()))


def _decompressed(stream: Stream, start: int, most: int) -> Stream:
    """The stream, decompressed if it begins like compressed data; only the first byte of a file is a beginning."""
    if start:
        return stream
    kind = kind_of(stream.peek(4))
    if kind == "gzip":
        stream = Stream(_Content(gzip.GzipFile(fileobj=stream, mode="rb").read1, stream.close, most))
    elif kind == "zstd":
        stream = Stream(_Content(_Zstd(stream).read_some, stream.close, most))
    if stream.peek(3).startswith(UTF8_MARK):
        stream.read(3)
    return stream


class _Zstd:
    """Zstandard frames one after the other; unlike the library's own reader it tells an end that comes too early."""

    def __init__(self, compressed: Stream) -> None:
        self._compressed = compressed
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._within_frame = False
        self._left_over = b""
        self._ready = memoryview(b"")

    def read_some(self, size: int) -> memoryview:
        """At most `size` bytes; raises EOFError when the data end within a frame."""
        while not self._ready:
            step = self._left_over or self._compressed.read(_ZSTD_STEP)
            if step:
                self._decompress(step)
            elif self._within_frame:
                raise EOFError("the last frame is not complete")
            else:
                break
        found, self._ready = self._ready[:size], self._ready[size:]
        return found

    def _decompress(self, step: bytes) -> None:
        self._ready = memoryview(self._frame.decompress(step))
        self._within_frame, self._left_over = not self._frame.eof, b""
        if self._frame.eof:
            self._left_over = self._frame.unused_data
            self._frame = zstandard.ZstdDecompressor().decompressobj()
