"""Which tables and columns a mapping reads, and what the logs that it reads can say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import UNSET

from ddz_analytics.mapping.sections import columns_of, listed
from ddz_analytics.mapping.spec import Acts, Column, EventKind, Mapping, Meaning, Relational, Where
from ddz_analytics.mapping.values import as_column

_ACTS_OF = {"auction": {"bid", "call", "rob", "decline"}, "open_hand": {"open"}, "doubles": {"double"}, "kicks": {"kick"}, "autoplay": {"autoplay"}}  # fmt: skip


def columns_used(mapping: Relational) -> dict[str, tuple[str, ...]]:
    """The columns that a mapping reads of each table, each once; the table of hands is the first, the others as they stand there."""
    found: dict[str, dict[str, None]] = {table: {} for table in (mapping.hand.of, *mapping.tables)}
    for table, column in _uses(mapping):
        found[table][column] = None
    return {table: tuple(columns) for table, columns in found.items() if columns}


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


def records_of(mapping: Mapping) -> frozenset[str]:
    """What the logs can say: acts that a row or event may be, and fields that a column or a constant holds."""
    if isinstance(mapping, Relational):
        sections: list[Acts | EventKind] = [*mapping.acts]
        hand = mapping.hand
        said: dict[str, object] = {
            "rules": hand.rules,
            "time": hand.started_at,
            "balances": mapping.seats.balance,
            "room": [*columns_of(hand.room)],
        }
    else:
        sections = [*mapping.on.values()]
        fields = {name.partition(".")[0] for event in mapping.on.values() for name in event.hand}
        seats = {name for event in mapping.on.values() for name in event.seats}
        said = {
            "rules": "rules" in fields,
            "time": "started_at" in fields,
            "balances": "balance" in seats,
            "room": "room" in fields,
        }
    acts = set(chain.from_iterable(map(_acts_of, sections)))
    found = {subject for subject, words in _ACTS_OF.items() if acts & words}
    found |= {subject for subject, is_said in said.items() if is_said}
    found |= {name for name in ("room", "rules") if getattr(mapping.constants, name) is not UNSET}
    return frozenset(found | ({"autoplay"} if any(map(_tells_autoplay, sections)) else set()))


def _acts_of(section: Acts | EventKind) -> Iterator[str]:
    """The acts that a row or event may be."""
    constant = section.every if isinstance(section, Acts) else section.act
    if isinstance(constant, str) and constant:
        yield constant
    elif isinstance(section.act, Column) and section.act.codes:
        for word in [*section.act.codes.values(), section.act.null]:
            if word is not UNSET:
                yield word.act if isinstance(word, Meaning) else str(word)
    elif section.act:
        yield from chain.from_iterable(_ACTS_OF.values())  # any word that the log has


def _tells_autoplay(section: Acts | EventKind) -> bool:
    """Whether a row or event may say that the system acted for a seat."""
    words: list[object] = []
    if isinstance(section.actor, Column):
        words += [*section.actor.codes.values(), section.actor.null]
    if isinstance(section.act, Column):
        words += [word.actor for word in section.act.codes.values() if isinstance(word, Meaning)]
    return "autoplay" in words or (bool(section.actor) and not isinstance(section.actor, Column))
