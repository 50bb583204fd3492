"""The tokens of an SQL dump, one after the other, in bounded memory."""

from __future__ import annotations

import io
import re
from typing import BinaryIO, NamedTuple

from ddz_analytics.parsers.base import LONGEST_RECORD

BLOCK = 1 << 20
_OPENING = ("'", '"', "`", "/", "-")  # of what may go on in the next block
_END_OF_COPY = "\n\\.\n"
_TOKEN = r"""
    (?P<blank>\s+|(?:--|\#)[^\n]*(?:\n|\Z)|/\*.*?\*/)
  | (?P<string>(?:[eE]'(?:[^'\\]|''|\\.)*'|(?:[nN]|_[a-z0-9]+\s*)?'(?:{character}|'')*')(?!'))
  | (?P<name>`(?:[^`]|``)*`(?!`)|"(?:[^"]|"")*"(?!"))
  | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
  | (?P<word>[^\W\d][\w$]*)
  | (?P<mark>::|.)
"""  # fmt: skip
_CHARACTER = {"": r"[^']", "\\": r"[^'\\]|\\."}


class Token(NamedTuple):
    """A string, name, number, word or mark as it is written; at the end of the dump its kind is empty."""

    kind: str
    text: str


class Tokens:
    """The tokens of a dump; `line` is that of the last one, `taken` the text since `begin`, as far as a record may be long.

    An `escape` says that the backslash escapes within strings. A string, name or comment that does not end within reason comes
    as a mark, and the rest of the dump is left alone (`broken`).
    """

    def __init__(self, stream: BinaryIO, encoding: str, escape: str) -> None:
        self._text = io.TextIOWrapper(stream, encoding, errors="surrogateescape", newline="")
        self._match = re.compile(_TOKEN.format(character=_CHARACTER[escape]), re.VERBOSE | re.DOTALL).match
        self._buffer = ""
        self._at = 0
        self._ended = self.broken = False
        self._next_line = self.line = 1
        self._taken: list[str] = []
        self._size = 0

    @property
    def taken(self) -> str:
        """The text since `begin`."""
        return "".join(self._taken)

    def begin(self, text: str = "") -> None:
        """Forget the text so far, but for its end."""
        self._taken, self._size = [text], len(text)

    def __next__(self) -> Token:
        """The next token that is not blank."""
        while True:
            found = self._take()
            if self._size < LONGEST_RECORD:
                self._taken.append(found.text)
                self._size += len(found.text)
            self.line = self._next_line
            self._next_line += found.text.count("\n")
            if found.kind != "blank":
                return found

    def skip_copied(self) -> None:
        """Leave out the rows that follow a COPY statement, up to the line that ends them."""
        while (end := self._buffer.find(_END_OF_COPY, self._at)) < 0 and not self._ended:
            kept = max(self._at, len(self._buffer) - len(_END_OF_COPY))
            self._next_line += self._buffer.count("\n", self._at, kept)
            self._at = kept
            self._fill()
        last = len(self._buffer) if end < 0 else end + len(_END_OF_COPY)
        self._next_line += self._buffer.count("\n", self._at, last)
        self._at = last

    def detach(self) -> None:
        """Leave the stream open."""
        self._text.detach()

    def _take(self) -> Token:
        while True:
            match = self._match(self._buffer, self._at) if not self.broken else None
            if match is not None and (self._ended or not self._may_go_on(match)):
                break
            if self._ended or self.broken:
                return Token("", "")
            if len(self._buffer) - self._at > LONGEST_RECORD:
                self.broken = True
                return Token("mark", self._buffer[self._at])
            self._fill()
        self._at = match.end()
        kind = str(match.lastgroup)
        if kind == "mark" and match[0] in ("'", '"', "`"):
            self.broken = True
        return Token(kind, match[0])

    def _may_go_on(self, match: re.Match[str]) -> bool:
        """Whether more text could make the token another one."""
        if match.end() + 2 > len(self._buffer):
            return True
        if match.lastgroup == "word":
            return self._buffer[match.end()] == "'"
        return match.lastgroup == "mark" and match[0] in _OPENING

    def _fill(self) -> None:
        block = self._text.read(BLOCK)
        self._ended = not block
        self._buffer = self._buffer[self._at :] + block
        self._at = 0
