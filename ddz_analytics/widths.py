"""How wide a text is on a terminal."""

from __future__ import annotations

import unicodedata


def text_width(text: str) -> int:
    """How many places a text takes up: Chinese characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def padded(text: str, width: int, *, to_the_right: bool = False) -> str:
    """A text filled up with blanks to a width."""
    gap = " " * (width - text_width(text))
    return gap + text if to_the_right else text + gap
