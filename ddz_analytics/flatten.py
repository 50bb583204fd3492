"""The actions of a batch of hands as flat columns, checked for what each act needs and may have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from msgspec import UNSET

from ddz_analytics.columns import SILENT, Codes, Ints, coded, codes, ints, said, scaled_column
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import ACTORS, ACTS, SCALE, SEATS, STAGES, Action, Declared, Hand
from ddz_analytics.schema import ACTION

Faults = dict[int, BadRecord]  # by place of the hand in its batch; the first one found is kept

_FIELDS = Action.__struct_encode_fields__
_ALWAYS = {"seat", "act", "ms", "actor", "auto"}
_REQUIRED = {
    "bid": {"value"}, "open": {"stage"}, "double": {"value"}, "kick": {"value"}, "autoplay": {"value"}, "play": {"cards"},
}  # fmt: skip
_OPTIONAL = {"open": {"value", "dealt"}, "play": {"sent", "as", "wilds_as"}, "pass": {"sent"}}
_VALUES = {"double": (1, 2, 4), "kick": (0, 1), "autoplay": (0, 1)}
_LEAST = {"bid": 0, "open": 1}


def _bits(fields: Iterable[str]) -> int:
    return sum(1 << _FIELDS.index(field) for field in fields)


_MUST = np.array([_bits(_REQUIRED.get(act, ())) for act in ACTS])
_MAY = np.array([_bits(_ALWAYS | _REQUIRED.get(act, set()) | _OPTIONAL.get(act, set())) for act in ACTS])


class FlatActions:
    """All actions of a batch, one row each; `offsets` (hands + 1) says where each hand's begin."""

    def __init__(self, hands: Sequence[Hand], faults: Faults) -> None:
        self.faults = faults
        lengths = np.fromiter((len(hand.actions) for hand in hands), dtype=np.int64, count=len(hands))
        self.offsets = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))
        self.given = list(chain.from_iterable(hand.actions for hand in hands))
        self.act = codes([action.act for action in self.given], ACTS)
        self.columns = self._columns()
        self._check_fields()
        self._check_values()

    def hand_of(self, row: int) -> int:
        """The place in the batch of the hand that an action belongs to."""
        return int(np.searchsorted(self.offsets, row, side="right")) - 1

    def blame(self, row: int, code: str, detail: str) -> None:
        """Note that an action keeps its hand from being a row."""
        hand = self.hand_of(row)
        place = row - int(self.offsets[hand])
        self.faults.setdefault(hand, BadRecord(code, f"{detail} - at `actions[{place}]`"))

    def _columns(self) -> dict[str, pa.Array]:
        given = self.given
        return {
            "seat": pa.array(codes([action.seat for action in given], range(SEATS))),
            "act": pa.array(self.act),
            "value": scaled_column([action.value for action in given]),
            "cards": said([action.cards for action in given], pa.string()),
            "ms": said([action.ms for action in given], pa.int64()),
            "actor": coded(self._actors()),
            "stage": coded(codes([action.stage for action in given], STAGES)),
            "dealt": said([action.dealt for action in given], pa.int8()),
            "sent": said([action.sent for action in given], pa.string()),
            "declared": said(_each_said([action.declared for action in given], _declared_text), pa.string()),
            "wilds_as": said(_each_said([action.wilds_as for action in given], _wilds_text), pa.string()),
        }

    def _actors(self) -> Codes:
        """Who acted; `auto` is short for `actor: autoplay` and must not contradict a stated actor."""
        actor = codes([action.actor for action in self.given], ACTORS)
        auto = codes([action.auto for action in self.given], (False, True))
        if (auto == SILENT).all():
            return actor
        short_for = np.where(auto == 1, ACTORS.index("autoplay"), ACTORS.index("player")).astype(np.int8)
        contradicts = (actor != SILENT) & ((actor == ACTORS.index("autoplay")) != (auto == 1))
        for row in np.flatnonzero((auto != SILENT) & contradicts).tolist():
            action = self.given[row]
            self.blame(row, "out_of_range", f"`auto` {action.auto} contradicts `actor` {action.actor}")
        return np.where(auto == SILENT, actor, short_for)

    def _check_fields(self) -> None:
        """Every act has the fields it needs and none that belongs to another act."""
        names = {"as": "declared"}
        present = np.zeros(len(self.act), dtype=np.int64)
        for place, field in enumerate(_FIELDS):
            if field != "auto":
                present |= ints(self.columns[names.get(field, field)].is_valid()) << place
        missing = _MUST[self.act] & ~present
        stray = present & ~_MAY[self.act]
        for row in np.flatnonzero(missing | stray).tolist():
            code, verb, bits = (
                ("missing_field", "needs", missing[row])
                if missing[row]
                else ("unknown_field", "has no", stray[row])
            )
            self.blame(
                row, code, f"`{ACTS[self.act[row]]}` {verb} field `{_FIELDS[int(bits).bit_length() - 1]}`"
            )

    def _check_values(self) -> None:
        """The acts whose value is a choice take one of a few numbers; bids and openings have a least value."""
        value, said_value = ints(self.columns["value"]), ints(self.columns["value"].is_valid()) == 1
        for act, allowed in _VALUES.items():
            wrong = said_value & (self.act == ACTS.index(act)) & ~np.isin(value, np.array(allowed) * SCALE)
            for row in np.flatnonzero(wrong).tolist():
                self.blame(row, "out_of_range", f"`{act}` {self.given[row].value} is not one of {allowed}")
        for act, least in _LEAST.items():
            wrong = said_value & (self.act == ACTS.index(act)) & (value < least * SCALE)
            for row in np.flatnonzero(wrong).tolist():
                self.blame(row, "out_of_range", f"`{act}` {self.given[row].value} is below {least}")

    def list_column(self, masks: Ints) -> pa.Array:
        """The list of actions of each hand; `masks` has the cards of each action, 0 for none."""
        columns = self.columns | {"cards": pa.array(masks, mask=masks == 0)}
        rows = pa.StructArray.from_arrays([columns[field.name] for field in ACTION], fields=list(ACTION))
        return pa.ListArray.from_arrays(pa.array(self.offsets, type=pa.int32()), rows)

    def numbers(self, masks: Ints) -> npt.NDArray[np.int64]:
        """Everything an action says in numbers, a row of four per action: what and who, the value, the time, the cards."""
        small = np.zeros(len(self.act), dtype=np.int64)
        for name in ("act", "seat", "actor", "stage", "dealt"):
            small = small << 8 | (ints(self.columns[name], missing=-1) & 0xFF)
        value, ms = (ints(self.columns[name], missing=-1) for name in ("value", "ms"))
        return np.stack((small, value, ms, masks), axis=1)

    def texts(self) -> dict[int, list[tuple[int, str | None, str | None, str | None]]]:
        """What actions say in words (what was sent, declared readings, wild ranks), by hand; few logs have any."""
        columns = [self.columns[name] for name in ("sent", "declared", "wilds_as")]
        found: dict[int, list[tuple[int, str | None, str | None, str | None]]] = {}
        speaking = np.any([ints(column.is_valid()) == 1 for column in columns], axis=0)
        for row in np.flatnonzero(speaking).tolist():
            hand = self.hand_of(row)
            sent, declared, wilds = (column[row].as_py() for column in columns)
            found.setdefault(hand, []).append((row - int(self.offsets[hand]), sent, declared, wilds))
        return found


def _each_said(values: list[Any], as_text: Any) -> list[Any]:
    if values.count(UNSET) == len(values):
        return values
    return [UNSET if value is UNSET else as_text(value) for value in values]


def _declared_text(declared: str | Declared) -> str:
    """`category`, or `category:length:main` where the log says more."""
    if isinstance(declared, str):
        return declared
    length = "" if declared.length is UNSET else str(declared.length)
    main = "" if declared.main is UNSET else declared.main
    return f"{declared.category}:{length}:{main}" if length or main else declared.category


def _wilds_text(wilds: list[str]) -> str:
    return "".join(sorted(wilds))
