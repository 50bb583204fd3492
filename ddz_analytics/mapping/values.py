"""Texts of a log turned into values, as a mapping says and not otherwise: what does not fit is a fault with its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

from ddz_analytics.errors import BadRecord
from ddz_analytics.mapping.spec import Column, Where

Kind = Literal["text", "integer", "seat", "amount", "time", "cards"]
Convert = Callable[[str], Any]

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_AMOUNT = re.compile(r"-?[0-9]{1,14}(\.[0-9]+)?")
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(?P<fraction>\.\d{1,6})?(?P<finer>0*))?\s?(?P<zone>Z|[+-]\d\d(:?\d\d)?)?",
    re.ASCII,
)
_SMALLEST = Decimal("0.0001")
_MOMENT = datetime(2003, 11, 28, 16, 5, 9, 123456, tzinfo=UTC)
_SINCE = {"seconds": 1_000_000, "milliseconds": 1_000}


def as_column(where: Where) -> Column:
    """A column of which only the name is given, with the usual meaning."""
    return where if isinstance(where, Column) else Column(column=where)


def converter(column: Column, kind: Kind) -> Convert:
    """What makes a value of a text of the column; it raises BadRecord."""
    if column.codes:
        codes = column.codes
        return lambda text: _word(text, codes)
    if kind == "time":
        return lambda text: time_of(text, column.time)
    if kind == "amount":
        return lambda text: amount_of(text, column.divide)
    if kind == "seat":
        return lambda text: integer_of(text) - column.counted_from
    return integer_of if kind == "integer" else str


def _word(text: str, codes: dict[str, Any]) -> Any:
    if text not in codes:
        raise BadRecord("out_of_range", f"the code {text[:40]!r} is none of " + ", ".join(codes))
    return codes[text]


def integer_of(text: str) -> int:
    """A whole number; raises BadRecord `wrong_type`."""
    if not (text.isdigit() and text.isascii() and len(text) <= 18) and not _INTEGER.fullmatch(text):
        raise BadRecord("wrong_type", f"{text[:40]!r} is no whole number")
    return int(text)


def amount_of(text: str, divide: int = 1, less: str = "0") -> int | str:
    """An amount (from which another is taken) divided by a number; raises BadRecord `wrong_type`, `out_of_range`."""
    for each in (text, less):
        if not _AMOUNT.fullmatch(each):
            raise BadRecord("wrong_type", f"{each[:40]!r} is no amount")
    amount = (Decimal(text) - Decimal(less)) / divide
    exact = amount.quantize(_SMALLEST)
    if exact * divide != Decimal(text) - Decimal(less):
        raise BadRecord("out_of_range", f"the amount {text[:40]} has more than four decimals")
    return int(exact) if exact == exact.to_integral_value() else str(exact.normalize())


def time_of(text: str, pattern: str) -> datetime:
    """A time, with an offset if the text has one; raises BadRecord `wrong_type`, `out_of_range`."""
    try:
        if pattern in _SINCE:
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
                microseconds=integer_of(text) * _SINCE[pattern]
            )
        if pattern != "iso":
            return _by_pattern(text, pattern)
        match = _TIME.fullmatch(text)
        if match is None:
            raise BadRecord("wrong_type", f"{text[:40]!r} is no time")
        finer = match["finer"] or ""
        return datetime.fromisoformat(
            text.replace(match["fraction"] + finer, match["fraction"]) if finer else text
        )
    except (ValueError, OverflowError):
        raise BadRecord("out_of_range", f"{text[:40]!r} is no time") from None


def _by_pattern(text: str, pattern: str) -> datetime:
    try:
        return datetime.strptime(text, pattern)
    except ValueError:
        raise BadRecord("out_of_range", f"{text[:40]!r} is no time by the pattern {pattern!r}") from None


def fault_of_pattern(pattern: str) -> str:
    """Why a pattern cannot say a time, empty if it can: what it writes of a moment it must read as that day and hour."""
    if pattern in ("iso", *_SINCE):
        return ""
    try:
        read = datetime.strptime(_MOMENT.strftime(pattern), pattern)
    except (ValueError, re.error):
        read = None
    if read is None or "%" not in pattern:
        words = ", ".join(("iso", *_SINCE))
        return f"{pattern!r} is no pattern of a time such as %Y-%m-%d %H:%M:%S, and none of {words}"
    if read.date() != _MOMENT.date() or read.hour not in (0, _MOMENT.hour):
        return f"the pattern {pattern!r} does not say which day, or which half of it"
    return ""


def instant_of(text: str) -> int:
    """What a whole number or a time comes to as a place in an order; raises BadRecord `wrong_type`, `out_of_range`."""
    if (text.isdigit() and text.isascii() and len(text) <= 18) or _INTEGER.fullmatch(text):
        return int(text)
    time = time_of(text, "iso")
    return (time.replace(tzinfo=time.tzinfo or UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(
        microseconds=1
    )
