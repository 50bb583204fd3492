"""Pickles of plain data (lists, dictionaries, tuples, whole numbers, texts), read without unpickling.

A pickle is a program for a machine with a stack. This machine knows the few commands by which plain data are built and no other:
none that names a class or a function, none that calls one. So nothing is run, and nothing can be made that is not plain. What
stands in several places counts in each of them, and may no longer be added to, which keeps the data in bounds and free of circles.
"""

from __future__ import annotations

import io
import pickletools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ddz_analytics.errors import BadRecord
from ddz_analytics.parsers.base import refuse_half_characters

MOST_SHARED = 1_000_000  # values that stand in a place other than their first
_CUT_OFF = ("exhausted", "remain", "not enough data", "no newline")
_NOT_PLAIN = "not a pickle of plain data"


class Item(NamedTuple):
    """Something pickled, and the bytes that built it (none where it is no list and no dictionary)."""

    value: Any
    raw: bytes


def plain_items(data: bytes) -> Iterator[Item | BadRecord]:
    """The elements of the list that was pickled, or of each of several pickles one after the other; a fault is the last."""
    begin = 0
    while begin < len(data):
        machine = _Machine(data)
        fault = machine.run(begin)
        yield from machine.items()
        if fault:
            yield fault
            return
        begin = machine.end


class _Machine:
    """The stack, the marks in it and where they were set, the memo, and the bytes that built each container."""

    def __init__(self, data: bytes) -> None:
        self.end = 0
        self._data = data
        self._place = 0
        self._stack: list[Any] = []
        self._marks: list[tuple[int, int]] = []
        self._memo: dict[int, Any] = {}
        self._spans: dict[int, tuple[int, int]] = {}
        self._weights: dict[
            int, int
        ] = {}  # of containers, by identity: how many values are in them at any depth
        self._finished: set[int] = set()
        self._shared = 0

    def run(self, begin: int) -> BadRecord | None:
        """Build what the pickle at a place says, up to its end or a fault."""
        stream = io.BytesIO(self._data)
        stream.seek(begin)
        try:
            for command, argument, place in pickletools.genops(stream):
                self._place = self.end = place or 0
                if command.name not in _COMMANDS:
                    detail = f"the command {command.name} at byte {place}, which builds no plain data"
                    return BadRecord("unsupported_mode", detail)
                _COMMANDS[command.name](self, argument)
        except (ValueError, OverflowError) as error:
            cut = any(words in str(error) for words in _CUT_OFF)
            return BadRecord("truncated" if cut else "unsupported_mode", f"{_NOT_PLAIN}: {str(error)[:100]}")
        except (IndexError, KeyError, TypeError, AttributeError):
            return BadRecord("unsupported_mode", f"{_NOT_PLAIN}, at byte {self._place}")
        except BadRecord as fault:
            return fault
        self.end = stream.tell()
        return None

    def items(self) -> list[Item]:
        """The elements that are whole, also of a list whose pickle has a fault."""
        first = self._stack[0] if self._stack else []
        found = first if isinstance(first, list) else self._stack[:1]
        found = [*found, *(each for each in self._stack[1:] if isinstance(each, dict) and each)]
        return [Item(each, self._raw(each)) for each in found]

    def _raw(self, value: Any) -> bytes:
        begin, end = self._spans.get(id(value), (0, 0))
        return self._data[begin:end]

    def push(self, value: Any) -> None:
        """Put a number or a text on the stack."""
        if isinstance(value, bool):
            raise BadRecord("unsupported_mode", f"{_NOT_PLAIN}: a truth value at byte {self._place}")
        if isinstance(value, str) and not value.isascii():
            refuse_half_characters(value)
        self._stack.append(value)

    def mark(self, _: Any) -> None:
        """Set a mark."""
        self._marks.append((len(self._stack), self._place))

    def since_mark(self) -> list[Any]:
        """Take what was put on the stack since the mark."""
        size, _ = self._marks.pop()
        values = self._stack[size:]
        del self._stack[size:]
        return values

    def uppermost(self, count: int) -> list[Any]:
        """Take the uppermost few off the stack."""
        return [self._stack.pop() for _ in range(count)][::-1]

    def begin(self, container: Any, values: Sequence[Any] = (), place: int | None = None) -> None:
        """Put a new container of some values on the stack, which the bytes from a place on built."""
        self._stack.append(container)
        self._spans[id(container)] = (self._place if place is None else place, self._place + 1)
        self._weights[id(container)] = 1 + sum(map(self._weight, values))

    def _weight(self, value: Any) -> int:
        return self._weights.get(id(value), 1)

    def gather(self, make: Callable[[list[Any]], Any]) -> None:
        """Make a container of what was put on the stack since the mark."""
        place = self._marks[-1][1]
        values = self.since_mark()
        self.begin(make(values), values, place)

    def gather_few(self, count: int) -> None:
        """Make a tuple of the uppermost few."""
        values = self.uppermost(count)
        self.begin(tuple(values), values)

    def append(self, values: list[Any]) -> None:
        """Append some values to the list below them."""
        self._below(list, values).extend(values)

    def set_items(self, values: list[Any]) -> None:
        """Put keys and values into the dictionary below them."""
        fill(self._below(dict, values), values)

    def _below(self, kind: type, values: Sequence[Any]) -> Any:
        container = self._stack[-1]
        if type(container) is not kind or id(container) in self._finished:
            raise TypeError
        self._spans[id(container)] = (self._spans[id(container)][0], self._place + 1)
        self._weights[id(container)] += sum(map(self._weight, values))
        return container

    def remember(self, key: int) -> None:
        """Keep the uppermost in the memo."""
        self._memo[key] = self._stack[-1]

    def recall(self, key: int) -> None:
        """Put something on the stack once more."""
        value = self._memo[key]
        if not isinstance(value, str):
            self._finished.add(id(value))
            self._shared += self._weight(value)
        if self._shared > MOST_SHARED:
            raise BadRecord(
                "too_large", f"more than {MOST_SHARED} values of the pickle stand in several places"
            )
        self._stack.append(value)

    def remember_next(self, _: Any) -> None:
        """Keep the uppermost under the next number."""
        self.remember(len(self._memo))


def fill(found: dict[Any, Any], values: list[Any]) -> dict[Any, Any]:
    """Put keys and values, which take turns, into a dictionary; raises `BadRecord` for a key that is there."""
    for key, value in zip(values[::2], values[1::2], strict=True):
        if key in found:
            raise BadRecord("duplicate_key", f"the key {str(key)[:40]!r} stands twice in one dictionary")
        found[key] = value
    return found


_COMMANDS: dict[str, Callable[[_Machine, Any], None]] = {
    **dict.fromkeys(("PROTO", "FRAME", "STOP"), lambda machine, argument: None),
    **dict.fromkeys(("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4"), _Machine.push),
    **dict.fromkeys(("STRING", "BINSTRING", "SHORT_BINSTRING"), _Machine.push),
    **dict.fromkeys(("UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"), _Machine.push),
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), _Machine.remember),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _Machine.recall),
    "MEMOIZE": _Machine.remember_next,
    "MARK": _Machine.mark,
    "EMPTY_LIST": lambda machine, _: machine.begin([]),
    "EMPTY_DICT": lambda machine, _: machine.begin({}),
    "EMPTY_TUPLE": lambda machine, _: machine.begin(()),
    "LIST": lambda machine, _: machine.gather(list),
    "TUPLE": lambda machine, _: machine.gather(tuple),
    "DICT": lambda machine, _: machine.gather(lambda values: fill({}, values)),
    "TUPLE1": lambda machine, _: machine.gather_few(1),
    "TUPLE2": lambda machine, _: machine.gather_few(2),
    "TUPLE3": lambda machine, _: machine.gather_few(3),
    "APPEND": lambda machine, _: machine.append(machine.uppermost(1)),
    "APPENDS": lambda machine, _: machine.append(machine.since_mark()),
    "SETITEM": lambda machine, _: machine.set_items(machine.uppermost(2)),
    "SETITEMS": lambda machine, _: machine.set_items(machine.since_mark()),
}
