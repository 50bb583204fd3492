"""The acts of many hands out of their text, by columns.

The text is a JSON array for each hand, as `acts_text` writes it. Nearly all acts are plays and passes that say who, which cards
and after how long; these are written in four ways, and are read out of the bytes of all hands at once. Every other act is read
by msgspec. A hand whose text is not written so is named and left to the caller: nothing is guessed here.

Where an act begins is certain: `{"seat":` stands nowhere else, because within a text its quotation mark would be escaped. And an
array that is acts between brackets and commas, each of them read whole, can mean nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
from msgspec import UNSET, Raw

from ddz_analytics.columns import Codes, Flags, Ints
from ddz_analytics.hands import ACTS, SEATS, Action

_PLAY, _PASS, _OTHER = ACTS.index("play"), ACTS.index("pass"), -1
_CODE = {act: code for code, act in enumerate(ACTS)}
# where in an act its seat stands, what follows a pass, the cards of a play
_SEAT, _PASSED, _CARDS = 8, 22, 32
_LONGEST_TIME = 15  # digits, of which every number is in range
_LONGEST_CARDS = 120
_AROUND = bytes(40)  # so that what is looked at before the first act and beyond the last is there
_OF_CARDS = np.isin(np.arange(256), [*b"3456789TJQKA2BR10SHCD "])
_ZERO = ord("0")

Words = npt.NDArray[np.uint64]

acts_text = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(Action).decode


class Acts(NamedTuple):
    """The acts of some hands, one row each; `offsets` (hands + 1) says where each hand's begin.

    `with_cards` are the rows of those that have cards, in no order. `few` are the rows of those that may say more than seat, act,
    cards and time; what they say stands in `said`, equal ones once but for their time, at the place `kind` of each.
    """

    offsets: Ints
    act: Codes
    seat: Codes
    ms: pa.Array
    with_cards: Ints
    cards: pa.Array  # the texts of those
    few: Ints
    kind: Ints
    said: list[Action]


class UnreadError(Exception):
    """Some hands, at `places`, have a text that is not as `acts_text` writes it."""

    def __init__(self, places: list[int]) -> None:
        super().__init__(places)
        self.places = places


class _Letters:
    """The bytes of all texts one after the other; `bounds` (hands + 1) says where each begins."""

    def __init__(self, texts: Sequence[bytes | Raw]) -> None:
        self.content = b"".join([_AROUND, *texts, _AROUND])
        self.bounds = np.cumsum([len(_AROUND), *map(len, texts)])
        self.at = np.frombuffer(self.content, dtype=np.uint8)

    def from_each(self, places: Ints, number: int = 1) -> Words:
        """The letters from each place on, eight to a number: shape (places, number)."""
        kind = np.dtype(f"V{8 * number}")
        every = np.ndarray((len(self.content) - kind.itemsize + 1,), kind, self.content, strides=(1,))
        return every[places].view("<u8").reshape(len(places), number)


def _begins(words: Words, text: bytes) -> Flags:
    """Whether each eight letters begin with some; those given as 0 may be any."""
    word, mask = (
        int.from_bytes(each, "little") for each in (text, bytes(255 * (letter > 0) for letter in text))
    )
    found: Flags = words & np.uint64(mask) == np.uint64(word)
    return found


class _Pieces(NamedTuple):
    """What may be acts: where each begins, where its closing brace is, and its time, of so many digits (0: it has none).

    `stop` is where what it says ends: at the comma before the time, else at the brace.
    """

    begin: Ints
    end: Ints
    digits: Ints
    ms: Ints
    stop: Ints


def read_acts(texts: Sequence[bytes | Raw]) -> Acts:
    """The acts of some hands, each given as a text; raises `UnreadError`."""
    letters = _Letters(texts)
    begin = np.flatnonzero(letters.at == ord("{"))
    begin = begin[_begins(letters.from_each(begin)[:, 0], b'{"seat":')]
    offsets = np.searchsorted(begin, letters.bounds)
    pieces = _timed(letters, begin, _ends(letters, begin, offsets))
    is_pass, plays = _plain(letters, pieces)
    cards, readable = _card_texts(letters, begin[plays] + _CARDS, pieces.stop[plays] - 1)
    if not readable.all():
        plays, cards = plays[readable], cards.filter(pa.array(readable))
    act = np.where(is_pass, np.int8(_PASS), np.int8(_OTHER))
    act[plays] = _PLAY
    few = np.flatnonzero(act == _OTHER)
    kind, said = _told(letters, pieces, few, offsets)
    seat, ms, has_ms = (letters.at[begin + _SEAT] - _ZERO).astype(np.int8), pieces.ms, pieces.digits > 0
    act[few] = np.array([_CODE[each.act] for each in said], dtype=np.int8)[kind]
    timed = np.array([each.ms is not UNSET for each in said], dtype=bool)[kind]
    ms[few[timed]] = [said[place].ms for place in kind[timed].tolist()]
    has_ms[few[timed]] = True
    also = np.array([each.cards is not UNSET for each in said], dtype=bool)[kind]
    texts_also = pa.array([said[place].cards for place in kind[also].tolist()], type=pa.string())
    cards, rows = pa.concat_arrays([cards, texts_also]), np.append(plays, few[also])
    return Acts(offsets, act, seat, pa.array(ms, mask=~has_ms), rows, cards, few, kind, said)


def _ends(letters: _Letters, begin: Ints, offsets: Ints) -> Ints:
    """Where the closing brace of each act is; raises `UnreadError` for hands that are not acts between brackets and commas."""
    at, opens, closes = letters.at, letters.bounds[:-1], letters.bounds[1:] - 1
    some = np.diff(offsets) > 0
    first, last = offsets[:-1][some], offsets[1:][some] - 1
    behind, follows = np.append(begin, 0)[1:] - 1, np.full(len(begin), ord(","), dtype=np.uint8)
    behind[last], follows[last] = closes[some], ord("]")
    wrong = (at[behind] != follows) | (at[behind - 1] != ord("}"))
    wrong[first] |= (begin[first] != opens[some] + 1) | (at[opens[some]] != ord("["))
    guilty = np.searchsorted(offsets, np.flatnonzero(wrong), side="right") - 1
    empty = (closes == opens + 1) & (at[opens] == ord("[")) & (at[closes] == ord("]"))
    silent = np.flatnonzero(~some & ~empty)
    if len(guilty) or len(silent):
        raise UnreadError(np.union1d(guilty, silent).tolist())
    return behind - 1


def _timed(letters: _Letters, begin: Ints, end: Ints) -> _Pieces:
    """The pieces with the time that each ends with, if it does."""
    digits, ms = np.zeros_like(end), np.zeros_like(end)
    goes_on = np.ones(len(end), dtype=bool)
    last = letters.from_each(end - 16, 2).T.copy()
    for place in range(_LONGEST_TIME):
        digit = (last[1 - place // 8] >> np.uint64(56 - place % 8 * 8) & np.uint64(255)) - np.uint64(_ZERO)
        goes_on &= digit < 10
        if not goes_on.any():
            break
        digits += goes_on
        ms += (digit * goes_on).view(np.int64) * 10**place
    number = end - digits
    is_time = _begins(letters.from_each(number - 6)[:, 0], b',"ms":') & (digits > 0)
    is_time &= (letters.at[number] != _ZERO) | (digits == 1)
    digits[~is_time] = ms[~is_time] = 0
    return _Pieces(begin, end, digits, ms, np.where(is_time, number - 6, end))


def _plain(letters: _Letters, pieces: _Pieces) -> tuple[Flags, Ints]:
    """Which pieces are a plain pass, and the rows of those that are a plain play if their cards are nothing but cards."""
    words = letters.from_each(pieces.begin, _CARDS // 8)
    seat, length = letters.at[pieces.begin + _SEAT] - np.uint8(_ZERO), pieces.stop - pieces.begin
    starts = (seat < SEATS) & _begins(words[:, 1], b'\0,"act":')
    is_pass = starts & _begins(words[:, 2], b'"pass"') & (length == _PASSED)
    is_play = starts & _begins(words[:, 2], b'"play","') & _begins(words[:, 3], b'cards":"')
    is_play &= (length > _CARDS + 1) & (length <= _CARDS + 1 + _LONGEST_CARDS)
    is_play &= letters.at[pieces.stop - 1] == ord('"')
    return is_pass, np.flatnonzero(is_play)


def _card_texts(letters: _Letters, begin: Ints, end: Ints) -> tuple[pa.Array, Flags]:
    """The letters between places as a column of texts, and which of them are such as card texts have."""
    offsets = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(end - begin)))
    found = letters.at[np.arange(offsets[-1]) + np.repeat(begin - offsets[:-1], end - begin)]
    readable = np.ones(len(begin), dtype=bool)
    readable[np.searchsorted(offsets, np.flatnonzero(~_OF_CARDS[found]), side="right") - 1] = False
    buffers = [None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(found)]
    return pa.Array.from_buffers(pa.string(), len(begin), buffers), readable


def _told(letters: _Letters, pieces: _Pieces, rows: Ints, offsets: Ints) -> tuple[Ints, list[Action]]:
    """What some pieces say but for their times, each text once, and the place among these of each; raises `UnreadError`."""
    places: dict[bytes, int] = {}
    spans = zip(pieces.begin[rows].tolist(), pieces.stop[rows].tolist(), strict=True)
    found = [places.setdefault(letters.content[begin:stop], len(places)) for begin, stop in spans]
    kind = np.array(found, dtype=np.int64)
    told = [_act(text + b"}") for text in places]
    said = [each for each in told if each is not None]
    if len(said) < len(told):
        wrong = rows[np.array([each is None for each in told])[kind]]
        raise UnreadError(np.unique(np.searchsorted(offsets, wrong, side="right") - 1).tolist())
    return kind, said


def _act(text: bytes) -> Action | None:
    """What one text says; None for what is no act or not as `acts_text` writes it."""
    try:
        act = _read(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return act if acts_text(act) == text else None
