"""Words on a terminal with colours, and how wide they are without."""

from __future__ import annotations

from typing import NamedTuple

from ddz_analytics.viewer.laid import grouped
from ddz_analytics.viewer.words import rank_words
from ddz_analytics.widths import text_width

BOLD, DIM, RED, YELLOW, CYAN = "1", "2", "31", "33", "36"
_RED_SUITS = "♥♦"


class Coloured(NamedTuple):
    """A text with its colours as ANSI escapes, and the places that it takes up."""

    text: str
    width: int

    def __add__(self, other: object) -> Coloured:
        """One after the other."""
        assert isinstance(other, Coloured)
        return Coloured(self.text + other.text, self.width + other.width)

    def filled(self, width: int) -> Coloured:
        """Filled up with blanks behind."""
        return self + plain(" " * (width - self.width))

    def at_right(self, width: int) -> Coloured:
        """Filled up with blanks before."""
        return plain(" " * (width - self.width)) + self


def plain(words: str) -> Coloured:
    """Words without colour."""
    return Coloured(words, text_width(words))


def styled(words: str, *styles: str) -> Coloured:
    """Words in a style."""
    return Coloured(f"\x1b[{';'.join(styles)}m{words}\x1b[0m" if words else "", text_width(words))


def cards(text: str, lang: str) -> Coloured:
    """Card text by ranks, hearts, diamonds and the big joker red."""
    shown = plain("")
    for rank, more in grouped(text):
        name = rank_words(rank, lang)
        shown += plain(" " if shown.width else "") + (styled(name, RED) if rank == "R" else plain(name))
        for sign in more:
            shown += styled(sign, RED) if sign in _RED_SUITS else plain(sign)
    return shown
