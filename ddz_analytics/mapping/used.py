"""Which tables and columns a mapping reads, and what the logs that it reads can say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import UNSET

from ddz_analytics.mapping.checking import columns_of, listed
from ddz_analytics.mapping.spec import Acts, Column, Meaning, Relational, Where
from ddz_analytics.mapping.values import as_column

_ACTS_OF = {"auction": {"bid", "call", "rob", "decline"}, "open_hand": {"open"}, "doubles": {"double"}, "kicks": {"kick"}, "autoplay": {"autoplay"}}  # fmt: skip


def columns_used(mapping: Relational) -> dict[str, tuple[str, ...]]:
    """The columns that a mapping reads of each table, each once; the table of hands is the first."""
    found: dict[str, dict[str, None]] = {mapping.hand.of: {}}
    for table, column in _uses(mapping):
        found.setdefault(table, {})[column] = None
    return {table: tuple(columns) for table, columns in found.items()}


def _uses(mapping: Relational) -> Iterator[tuple[str, str]]:
    hand, seats = mapping.hand, mapping.seats
    sections: list[tuple[str, Iterator[tuple[str, Where]]]] = [
        *((hand.of, columns_of(section)) for section in (hand, hand.room, hand.recorded)),
        (hand.of, iter(hand.extra.items())),
        *((acts.of, columns_of(acts)) for acts in mapping.acts),
    ]
    for table, columns in sections:
        for _, where in columns:
            yield from _of_column(where, table)
    for key, where in columns_of(seats):
        yield from _of_column(where, seats.of if seats.of and "[" not in key else hand.of)
    yield from ((acts.of, column) for acts in mapping.acts for column in listed(acts.order))
    yield from _whose(mapping)


def _whose(mapping: Relational) -> Iterator[tuple[str, str]]:
    for name, table in mapping.tables.items():
        if table.player:
            yield name, table.player
        if table.seat:
            yield name, as_column(table.seat).column


def _of_column(where: Where, table: str) -> Iterator[tuple[str, str]]:
    column = as_column(where)
    for name in (column.column, *column.where, *([column.less] if column.less else [])):
        yield column.of or table, name


def records_of(mapping: Relational) -> frozenset[str]:
    """What the logs can say: acts that a row may be, and fields that a column or a constant holds."""
    acts = set(chain.from_iterable(_acts_of(section) for section in mapping.acts))
    said = {subject for subject, words in _ACTS_OF.items() if acts & words}
    hand, constants = mapping.hand, mapping.constants
    fields = {
        "balances": mapping.seats.balance,
        "room": constants.room is not UNSET or any(True for _ in columns_of(hand.room)),
        "rules": constants.rules is not UNSET or hand.rules,
        "time": hand.started_at,
        "autoplay": any(_tells_autoplay(section) for section in mapping.acts),
    }
    return frozenset(said | {subject for subject, is_said in fields.items() if is_said})


def _acts_of(section: Acts) -> Iterator[str]:
    if section.every:
        yield section.every
    elif isinstance(section.act, Column) and section.act.codes:
        for word in [*section.act.codes.values(), section.act.null]:
            if word is not UNSET:
                yield word.act if isinstance(word, Meaning) else str(word)
    else:
        yield from chain.from_iterable(_ACTS_OF.values())  # any word that the log has


def _tells_autoplay(section: Acts) -> bool:
    """Whether some row may say that the system acted for a seat."""
    words: list[object] = []
    if isinstance(section.actor, Column):
        words += [*section.actor.codes.values(), section.actor.null]
    if isinstance(section.act, Column):
        words += [word.actor for word in section.act.codes.values() if isinstance(word, Meaning)]
    return "autoplay" in words or (bool(section.actor) and not isinstance(section.actor, Column))
