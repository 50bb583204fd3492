"""Asking the oracle once for all hands that it cannot tell apart.

The oracle settles one hand in a third of a millisecond, and here tens of thousands of hands are settled under dozens of rule
sets. Most of them look alike to a rule set: it reads the bid, the bombs and who won, and never the cards. So what a settlement
reads of its input is noted, in order, with the values found; a later hand in which the same reads find the same values has the
same settlement. Nothing is guessed about what matters: a value that was read and differs leads to a new computation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Path = tuple[Any, ...]
_LENGTH, _ABSENT = object(), object()


class Watched:
    """A part of the input (a dictionary or a list) that notes what is read from it: a path and the value found there."""

    def __init__(self, part: Any, path: Path, reads: list[tuple[Path, Any]]) -> None:
        self._part, self._path, self._reads = part, path, reads

    def _found(self, key: Any, value: Any) -> Any:
        path = (*self._path, key)
        if isinstance(value, dict | list):
            self._reads.append((path, type(value)))
            return Watched(value, path, self._reads)
        self._reads.append((path, value))
        return value

    def __getitem__(self, key: Any) -> Any:
        return self._found(key, self._part[key])

    def get(self, key: Any, default: Any = None) -> Any:
        """As a dictionary's; that a key is missing is something read too."""
        found = self._found(key, self._part.get(key, _ABSENT))
        return default if found is _ABSENT else found

    def __len__(self) -> int:
        self._reads.append(((*self._path, _LENGTH), len(self._part)))
        return len(self._part)

    def __iter__(self) -> Iterator[Any]:
        assert isinstance(self._part, list), "the oracle goes through lists only"
        return (self[place] for place in range(len(self)))


def _look_up(part: Any, path: Path) -> Any:
    """The value at a path, as `Watched` would have noted it."""
    for key in path:
        if key is _LENGTH:
            return len(part)
        part = part.get(key, _ABSENT) if isinstance(part, dict) else part[key]
    return type(part) if isinstance(part, dict | list) else part


class Remembered:
    """A function of one nested input that is not computed again where everything that it read before is the same.

    Each path that is read next is a node, each value found there a branch, each result a leaf; `results` are the leaves.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.results: list[Any] = []
        self._root: list[Any] = []

    def __call__(self, given: Any) -> int:
        """The place among `results` of the function's result for an input."""
        node = self._root
        while node:
            if isinstance(node[0], int):
                return node[0]
            path, branches = node
            value = _look_up(given, path)
            node = branches.setdefault((type(value), value), [])
        return self._compute(given)

    def _compute(self, given: Any) -> int:
        reads: list[tuple[Path, Any]] = []
        self.results.append(self.function(Watched(given, (), reads)))
        node = self._root
        for path, value in dict(reads).items():  # each path once: its value does not change
            if not node:
                node += [path, {}]
            assert node[0] == path, "the same values were read, but then another path"
            node = node[1].setdefault((type(value), value), [])
        node.append(len(self.results) - 1)
        return len(self.results) - 1
