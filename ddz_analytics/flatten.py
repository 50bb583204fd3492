"""The actions of a batch of hands as flat columns, checked for what each act needs and may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from msgspec import UNSET, Raw

from ddz_analytics.acts import Acts, acts_text, read_acts
from ddz_analytics.columns import SILENT, Codes, Flags, Ints, coded, codes, ints, known, said, scaled_column
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import ACTORS, ACTS, SCALE, STAGES, Action, Declared, Hand
from ddz_analytics.numbered import Numbered, numbered_acts
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
_PLACE = {act: place for place, act in enumerate(ACTS)}


def _bits(fields: Iterable[str]) -> int:
    return sum(1 << _FIELDS.index(field) for field in fields)


_MUST = np.array([_bits(_REQUIRED.get(act, ())) for act in ACTS], dtype=np.int16)
_MAY = np.array(
    [_bits(_ALWAYS | _REQUIRED.get(act, set()) | _OPTIONAL.get(act, set())) for act in ACTS], dtype=np.int16
)


class FlatActions:
    """All actions of a batch, one row each; `offsets` (hands + 1) says where each hand's begin.

    Nearly all are plays and passes that say who, which cards and after how long. `few` are the rows of those that say anything
    else; `more` has columns of what these say, in which equal ones share the row `kind`. `with_cards` are the rows that have
    `cards`. Raises `UnreadError` as `read_acts` does.
    """

    def __init__(self, hands: Sequence[Hand], faults: Faults) -> None:
        self.faults = faults
        acts = _acts([hand.actions for hand in hands])
        self.offsets, self.act, self.seat = acts.offsets, acts.act, acts.seat
        self.few, self.kind, self._said = acts.few, acts.kind, acts.said
        self.with_cards, self.cards = acts.with_cards, acts.cards
        self.more = self._more(acts.said)
        self.columns = self._columns(acts)
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

    def _columns(self, acts: Acts) -> dict[str, pa.Array]:
        place, silent = np.zeros(len(acts.act), dtype=np.int32), np.ones(len(acts.act), dtype=bool)
        place[self.few], silent[self.few] = self.kind, False
        among_more = pa.array(place, mask=silent)
        return {
            "seat": pa.array(acts.seat),
            "act": pa.array(acts.act),
            "ms": acts.ms,
            **{
                name: column.take(among_more)
                if column.null_count < len(column)
                else pa.nulls(len(place), column.type)
                for name, column in self.more.items()
            },
        }

    def saying(self, flags: Flags) -> Iterator[tuple[int, int]]:
        """The row and the kind of each action whose kind is flagged, in order."""
        chosen = np.flatnonzero(flags[self.kind])
        return zip(self.few[chosen].tolist(), self.kind[chosen].tolist(), strict=True)

    def _more(self, few: Sequence[Action]) -> dict[str, pa.Array]:
        return {
            "value": scaled_column([action.value for action in few]),
            "actor": coded(self._actors(few)),
            "stage": coded(codes([action.stage for action in few], STAGES)),
            "dealt": said([action.dealt for action in few], pa.int8()),
            "sent": said([action.sent for action in few], pa.string()),
            "declared": said(_each_said([action.declared for action in few], _declared_text), pa.string()),
            "wilds_as": said(_each_said([action.wilds_as for action in few], _wilds_text), pa.string()),
        }

    def _actors(self, few: Sequence[Action]) -> Codes:
        """Who acted; `auto` is short for `actor: autoplay` and must not contradict a stated actor."""
        actor = codes([action.actor for action in few], ACTORS)
        auto = codes([action.auto for action in few], (False, True))
        short_for = np.where(auto == 1, ACTORS.index("autoplay"), ACTORS.index("player")).astype(np.int8)
        contradicts = (actor != SILENT) & ((actor == ACTORS.index("autoplay")) != (auto == 1))
        for row, kind in self.saying((auto != SILENT) & contradicts):
            action = few[kind]
            self.blame(row, "out_of_range", f"`auto` {action.auto} contradicts `actor` {action.actor}")
        return np.where(auto == SILENT, actor, short_for)

    def _check_fields(self) -> None:
        """Every act has the fields it needs and none that belongs to another act."""
        names = {"declared": "as"}
        present = np.zeros(len(self.act), dtype=np.int16)
        present[self.with_cards] = _bits(["cards"])
        for name, column in self.more.items():
            if name != "actor":
                present[self.few] |= (known(column) * np.int16(_bits([names.get(name, name)])))[self.kind]
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
        value, said_value = ints(self.more["value"]), known(self.more["value"])
        acts = np.array([_PLACE[action.act] for action in self._said], dtype=np.int8)
        for act, allowed in _VALUES.items():
            wrong = said_value & (acts == ACTS.index(act)) & ~np.isin(value, np.array(allowed) * SCALE)
            for row, kind in self.saying(wrong):
                self.blame(row, "out_of_range", f"`{act}` {self._said[kind].value} is not one of {allowed}")
        for act, least in _LEAST.items():
            wrong = said_value & (acts == ACTS.index(act)) & (value < least * SCALE)
            for row, kind in self.saying(wrong):
                self.blame(row, "out_of_range", f"`{act}` {self._said[kind].value} is below {least}")

    def list_column(self, masks: Ints) -> pa.Array:
        """The list of actions of each hand; `masks` has the cards of each action, 0 for none."""
        columns = self.columns | {"cards": pa.array(masks, mask=masks == 0)}
        rows = pa.StructArray.from_arrays([columns[field.name] for field in ACTION], fields=list(ACTION))
        return pa.ListArray.from_arrays(pa.array(self.offsets, type=pa.int32()), rows)

    def numbers(self, masks: Ints) -> npt.NDArray[np.int64]:
        """Everything an action says in numbers, a row of four per action: what and who, the value, the time, the cards."""
        said_more = np.zeros(len(self._said), dtype=np.int64)
        for name in ("actor", "stage", "dealt"):
            said_more = said_more << 8 | (ints(self.more[name], missing=-1) & 0xFF)
        numbers = np.full((len(self.act), 4), -1)
        who = self.act.astype(np.int64) << 8 | self.seat
        numbers[:, 0] = who << 24 | 0xFFFFFF
        numbers[self.few, 0] = who[self.few] << 24 | said_more[self.kind]
        numbers[self.few, 1] = ints(self.more["value"], missing=-1)[self.kind]
        numbers[:, 2] = ints(self.columns["ms"], missing=-1)
        numbers[:, 3] = masks
        return numbers

    def texts(self) -> dict[int, list[tuple[int, str | None, str | None, str | None]]]:
        """What actions say in words (what was sent, declared readings, wild ranks), by hand; few logs have any."""
        columns = [self.more[name] for name in ("sent", "declared", "wilds_as")]
        found: dict[int, list[tuple[int, str | None, str | None, str | None]]] = {}
        for row, kind in self.saying(np.any([known(column) for column in columns], axis=0)):
            hand = self.hand_of(row)
            sent, declared, wilds = (column[kind].as_py() for column in columns)
            found.setdefault(hand, []).append((row - int(self.offsets[hand]), sent, declared, wilds))
        return found


def _acts(hands: Sequence[list[Action] | Raw | Numbered]) -> Acts:
    numbered = [each for each in hands if isinstance(each, Numbered)]
    if len(numbered) == len(hands) > 0 and len({each.repertoire for each in numbered}) == 1:
        return numbered_acts(numbered)
    return read_acts([_text(each) for each in hands])


def _text(actions: list[Action] | Raw | Numbered) -> bytes | Raw:
    if isinstance(actions, Raw):
        return actions
    return acts_text(actions.told() if isinstance(actions, Numbered) else actions)


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
