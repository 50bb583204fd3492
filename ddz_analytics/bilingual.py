"""Texts and numbers in both languages at once, as a page has them that shows one of the two; all of it escaped."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from markupsafe import Markup, escape

from ddz_analytics.answers.plain import inert
from ddz_analytics.locale import LANGUAGES, term, texts

MINUS = "−"
Number = int | float | Decimal


class Both(NamedTuple):
    """Something that is written differently in the two languages; a plain text in it is not yet escaped."""

    en: str
    zh: str

    def __html__(self) -> str:
        """Both, each marked with its language; once where they are the same."""
        en, zh = escape(self.en), escape(self.zh)
        return en if en == zh else Markup('<span lang="en">{}</span><span lang="zh">{}</span>').format(en, zh)


def say(key: str, **values: object) -> Both:
    """A text of the catalogue in both languages; values are escaped, a `Both` among them fits its language."""
    return Both(*(_filled(texts()[key][lang], lang, values) for lang in LANGUAGES))


def named(kind: str, code: str | None) -> Both:
    """What a code is called; nothing for None."""
    return Both(*(inert(term(kind, code, lang)) if code is not None else "" for lang in LANGUAGES))


def exact(value: Number | None) -> str:
    """All digits, grouped by thousands; a number that is not exact is shown with two decimals. Nothing for None."""
    if value is None:
        return ""
    number = Decimal(f"{value:.2f}") if isinstance(value, float) else Decimal(value)
    digits = f"{abs(number):,f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return MINUS + digits if number < 0 and digits != "0" else digits


def signed(value: Number | None) -> str:
    """As `exact`, a gain with its sign too."""
    return f"+{exact(value)}" if value is not None and value > 0 else exact(value)


def grouped(amount: str) -> str:
    """An exact decimal as a page writes numbers; nothing for nothing."""
    return exact(Decimal(amount)) if amount else ""


def _filled(template: str, lang: str, values: dict[str, object]) -> Markup:
    return Markup(template).format(**{name: in_language(value, lang) for name, value in values.items()})


def in_language(value: object, lang: str) -> object:
    """A value in one language, a text of it without power over anything."""
    if isinstance(value, Both):
        return value[LANGUAGES.index(lang)]
    if isinstance(value, str) and not isinstance(value, Markup):
        return inert(value)
    return value
