"""The words of click in Chinese as gettext reads them: `python -m tests.click_words` makes the file of their TOML."""

from __future__ import annotations

import struct
import tomllib
from pathlib import Path

from ddz_analytics import locale

PLACE = Path(locale.__file__).parent / "zh"
MADE = PLACE / "LC_MESSAGES" / "click.mo"
HEAD = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=1; plural=0;\n"
MAGIC, SIZES = 0x950412DE, 28


def words() -> dict[str, str]:
    """Each English text with its Chinese; what counts has both English forms, parted by a NUL."""
    found = tomllib.loads((PLACE / "click.toml").read_text("utf-8"))
    counted = {f"{one}\0{many}": said for one, (many, said) in found["counted"].items()}
    return {"": HEAD, **found["words"], **counted}


def made(entries: dict[str, str]) -> bytes:
    """A `.mo` file: its head, two tables of lengths and places, the texts in order, each ended by a NUL."""
    ordered = sorted((key.encode(), value.encode()) for key, value in entries.items())
    at = SIZES + 16 * len(ordered)
    tables, texts = b"", b""
    for column in (0, 1):
        for pair in ordered:
            tables += struct.pack("<II", len(pair[column]), at + len(texts))
            texts += pair[column] + b"\0"
    head = struct.pack("<7I", MAGIC, 0, len(ordered), SIZES, SIZES + 8 * len(ordered), 0, at)
    return head + tables + texts


if __name__ == "__main__":
    MADE.write_bytes(made(words()))
