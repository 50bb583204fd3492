"""Errors a user can act on: one line, a stable code, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

EXIT_USAGE = 2
EXIT_FINDINGS = 1  # what the caller asked to fail on
EXIT_FAILED = 3
_LONGEST_LINE = 1000


class DdzError(Exception):
    """A run that failed for a reason its user can understand.

    `code` is stable and documented; `where` is a file, `file:line` or a name; `mend` says what to do about it.
    """

    exit_code = EXIT_FAILED

    def __init__(self, code: str, what: str, *, where: str = "", mend: str = "") -> None:
        super().__init__(what)
        self.code = code
        self.what = what
        self.where = where
        self.mend = mend

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes."""
        return _rebuilt, (type(self), self.code, self.what, self.where, self.mend)

    def __str__(self) -> str:
        """The single line that a user sees."""
        parts = ", ".join(part for part in (self.what, self.where, self.mend) if part)
        return one_line(f"error[{self.code}]: {parts}")


def one_line(text: str) -> str:
    """A text as one line of bounded length that a terminal only shows: what cannot be printed as escapes, the middle left out."""
    line = " ".join(text.split())
    if len(line) > _LONGEST_LINE:
        line = f"{line[: _LONGEST_LINE * 3 // 4]} … {line[-_LONGEST_LINE // 4 :]}"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)


def _rebuilt(kind: type[DdzError], code: str, what: str, where: str, mend: str) -> DdzError:
    return kind(code, what, where=where, mend=mend)


class UsageError(DdzError):
    """The command or its arguments do not say something that can be done."""

    exit_code = EXIT_USAGE


class StoreError(DdzError):
    """The store cannot be read or written as asked."""


@dataclass(frozen=True)
class BadRecord(Exception):
    """One record that cannot become a hand; the parser that meets it turns it into a `Rejected`."""

    code: str
    detail: str
