"""Texts and numbers as the page shows them: every text in both languages, of which the page shows one; all of it escaped.

In prose, large Chinese numbers count in 万 and 亿; tables have exact values.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from markupsafe import Markup

from ddz_analytics.bilingual import MINUS, Both, Number, exact, in_language, named, say, signed
from ddz_analytics.locale import LANGUAGES

__all__ = ["MINUS", "Both", "Number", "exact", "named", "say", "signed"]
_SHORT: dict[str, tuple[tuple[int, str], ...]] = {
    "en": ((10**9, "B"), (10**6, "M"), (10**3, "k")),
    "zh": ((10**8, "亿"), (10**4, "万")),
}


def bold(value: object) -> Both:
    """A value that stands out."""
    return Both(*(Markup("<b>{}</b>").format(in_language(value, lang)) for lang in LANGUAGES))


def tone(value: int | Decimal | None) -> str:
    """The class of a difference: gain, loss, or none."""
    return "" if not value else "gain" if value > 0 else "loss"


def prose(value: int | Decimal) -> Both:
    """A number within a sentence."""
    return Both(exact(value), short(value, "zh"))


def signed_prose(value: int | Decimal) -> Both:
    """A difference within a sentence."""
    sign = "+" if value > 0 else ""
    return Both(*(sign + text for text in prose(value)))


def short(value: Number, lang: str) -> str:
    """A number in few letters: 1.5k, 1.5万; at most two decimals, exact below the first unit."""
    size = abs(Decimal(value))
    for least, unit in _SHORT[lang]:
        if size >= least:
            return exact(float(Decimal(value) / least)) + unit
    return exact(value)


def share(part: int, whole: int) -> str:
    """A share in per cent with one decimal; what is more than nothing and less than everything never looks like it."""
    if whole == 0:
        return MINUS
    tenths = round(Fraction(1000 * part, whole))
    if tenths == 0 and part:
        return "<0.1%"
    if tenths == 1000 and part < whole:
        return ">99.9%"
    return f"{tenths // 10}.{tenths % 10}%"


def on_axis(value: int, lang: str) -> str:
    """A number on an axis: exact below 100,000 (in Chinese 10,000), else in few letters with three digits."""
    return (
        exact(value)
        if value < (10**4 if lang == "zh" else 10**5)
        else short(round(value, 3 - len(str(value))), lang)
    )


def a_hand(total: Decimal, hands: int) -> str:
    """A total per hand, rounded to two decimals."""
    return exact(round(total / hands, 2)) if hands else MINUS
