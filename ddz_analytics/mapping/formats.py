"""How the files of a table are written: what a mapping says of it, and a row as every reader hands it on."""

from __future__ import annotations

import codecs
import re
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from ddz_analytics.errors import UsageError

ESCAPED = re.compile(r"\\(.)", re.DOTALL)
MEANT = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "b": "\b",
    "0": "\0",
    "f": "\f",
    "v": "\v",
    "Z": "\x1a",
}  # others mean themselves
_SAMPLE = "a,b\n"
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")

Text = Annotated[str, Meta(min_length=1)]
Character = Annotated[str, Meta(min_length=1, max_length=1)]


class TableFormat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the files of a table are written.

    `format` auto is Parquet where a file begins so, else csv. A csv has a `delimiter`; a `quote`, which stands twice within
    quotes (empty: there are none); without quotes perhaps the backslash as `escape`, and `\\N` for null, as MySQL and PostgreSQL
    write text; and a `header`, else the names of its `columns`. sql are the INSERT statements of a dump into the table `dumped`;
    there `escape` says that the backslash escapes within strings, and `columns` are needed where the dump does not name them.
    A csv value that is one of the texts `null` is none.
    """

    format: Literal["auto", "csv", "parquet", "sql"] = "auto"
    delimiter: Character = ","
    quote: Annotated[str, Meta(max_length=1)] = '"'
    escape: Literal["", "\\"] = ""
    null: tuple[str, ...] = ("",)
    encoding: Text = "utf-8"
    header: bool = True
    columns: tuple[Text, ...] = ()
    dumped: str = ""

    def check(self, where: str) -> None:
        """Raise UsageError `mapping_value` if an encoding is unknown or keys do not go together."""
        by_text = self.format in ("auto", "csv")
        faults = (
            (not _is_encoding(self.encoding), f"no encoding is called {self.encoding!r}"),
            (by_text and self.escape and self.quote, 'where there is an escape there are no quotes: quote = ""'),
            (self.delimiter in (self.quote, self.escape, "\r", "\n"), "the delimiter has another meaning too"),
            (by_text and self.header == bool(self.columns), "`columns` are for files without header, and needed there"),
            (len(set(self.columns)) < len(self.columns), "two columns have the same name"),
            ((self.format == "sql") != bool(self.dumped), "format sql, and only this, names a table as `dumped`"),
        )  # fmt: skip
        for wrong, what in faults:
            if wrong:
                raise UsageError("mapping_value", what, where=where)


def _is_encoding(name: str) -> bool:
    """Whether some bytes can be read as text so: codecs that make bytes of bytes are none, nor are those that read nothing."""
    try:
        by_text = codecs.lookup(name)._is_text_encoding  # what `open` asks too
        return by_text and _SAMPLE.encode(name).decode(name, "surrogateescape") == _SAMPLE
    except (LookupError, ValueError):
        return False


class Row(NamedTuple):
    """One row as it was read: its values, or the code and detail of what is wrong with it.

    `line` is the line on which it begins (of a Parquet file its place), counted from 1; `raw` are its bytes as they came.
    """

    values: tuple[str | None, ...] | None
    line: int
    raw: bytes
    code: str = ""
    detail: str = ""


NamedRow = tuple[
    tuple[str, ...], Row | None
]  # with the names of the columns, none if they are not known; no row: only these


def fault_of_text(text: str, encoding: str) -> tuple[str, str]:
    """The code and detail of a row whose text is none; both are empty for one that is."""
    if "\0" in text:
        return "not_text", "a NUL character"
    if not text.isascii() and _HALF_CHARACTER.search(text):
        return "bad_encoding", f"bytes that are not {encoding}"
    return "", ""
