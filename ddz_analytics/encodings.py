"""What a text that is not UTF-8 looks like, so that it is refused by name: nothing is read in an encoding that was only guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence

UTF8_MARK = b"\xef\xbb\xbf"
_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_CHINESE = re.compile(rb"[\x80-\xff]{2,}")
_SAMPLE = 64  # bytes that show whether every other one is zero


def other_encoding(head: bytes) -> str:
    """The encoding that the beginning of a text file, or one record, shows; empty where it is UTF-8 or shows none.

    Chinese words show GB18030 where more of them are in it than in UTF-8; one such word may as well be damage.
    """
    if wide := wide_encoding(head):
        return wide
    if b"\0" in head:  # no text
        return ""
    words = set(_CHINESE.findall(head))
    foreign = [word for word in words if not _reads_as("utf-8", word) and _reads_as("gb18030", word)]
    return "GB18030" if len(foreign) > max(1, sum(_reads_as("utf-8", word) for word in words)) else ""


def wide_encoding(head: bytes) -> str:
    """UTF-32 or UTF-16, if the beginning of a text file shows it by its mark or by its zeros; else empty."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    return "UTF-16" if _every_other_is_zero(head[:_SAMPLE]) else ""


def not_utf8(raw: bytes, at: int) -> str:
    """What to say of a record that is not UTF-8 at byte `at`."""
    words = _CHINESE.findall(raw)
    likely = any(not _reads_as("utf-8", word) for word in words) and all(
        _reads_as("gb18030", word) for word in words
    )
    return f"not UTF-8 at byte {at}" + (f", perhaps GB18030: {how_to_convert('GB18030')}" if likely else "")


def how_to_convert(name: str) -> str:
    """The command that makes UTF-8 of another encoding."""
    return f"convert the log with `iconv -f {name} -t UTF-8`"


def _every_other_is_zero(sample: bytes) -> bool:
    halves: Sequence[bytes] = (sample[::2], sample[1::2])
    return len(sample) > 3 and any(not any(half) for half in halves) and any(sample)


def _reads_as(encoding: str, word: bytes) -> bool:
    try:
        word.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
