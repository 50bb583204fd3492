"""`icga`: games of the computer-game tournaments (大学生计算机博弈大赛), as messages between platform and programs, or as recorded.

In the message form a line is `DEAL A0,1,…`, `BID A3`, `LEFTOVER A2,29,39` (the landlord and the bottom cards), `PLAY A0,1,2`,
`PLAY A-1` (a pass) or `GAMEOVER A`. The platform tells each message to several programs, so one that says the last of its kind
again is the same message; other lines are ignored. The recorded form has the same in nodes such as `;DA[0,1,…]`, `;BA[3]`,
`;A[-1]`, `;OVER[A]`. A log of one program, which knows its own cards only, has no hand. Without `LEFTOVER` the bottom cards are
those that nobody was dealt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import BinaryIO

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Hand
from ddz_analytics.parsers.base import Parsed, Source
from ddz_analytics.parsers.icga_game import Game, Said
from ddz_analytics.parsers.text_records import Numbered, TextRecord, parsed

_DEALS = re.compile(rb"^DEAL\s+([A-Z])|;D([A-Z])\[")
_ACTS = re.compile(rb"^(?:BID|PLAY)\s+[A-Z]\s*-?\d|^LEFTOVER\s|;[BL]?[A-Z]\[")
_ENDS = re.compile(rb"^GAMEOVER\s|;OVER\[")
_OPENS = re.compile(rb"\(|;VER\[|;PA\[")
_ANNOUNCES = re.compile(rb"(?:DOUDIZHUVER|INFO)\b")
_TELLS = re.compile(rb"^DEAL\s+[A-Z]\s*\d+,|;D[A-Z]\[\s*\d+,", re.MULTILINE)

_MESSAGE = re.compile(r"(DEAL|BID|LEFTOVER|PLAY|GAMEOVER)(?:\s+([A-Z])\s*(.*))?")
_INFO = re.compile(r"INFO\s+([\d,]+)")
_ERROR = re.compile(r"ERROR\s+([A-Z])")
_NODE = re.compile(r"[\s;()]*([A-Z]+)\[([^\[\]]*)\]")
_ABOUT = ("VER", "TI", "TC", "RI", "RC", "UC", "MS")  # the platform, and which game of which round it is
_KINDS = {"P": "name", "D": "deal", "B": "bid", "L": "leftover"}  # by the first letter of a node of two


class Icga:
    """The parser of `icga`."""

    name = "icga"
    version = 1
    records = frozenset(("auction",))
    ids_are_global = False
    switches: Mapping[str, bool] = {}
    reference_rules: str | None = "qq-classic"
    by_line = False

    def sniff(self, head: bytes) -> float:
        """Nearly certain when a line deals cards in one of the two forms."""
        return 0.9 if _TELLS.search(head) else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or one rejection for each game."""
        numbers = count(1)
        return parsed(stream, source, _Beginnings(), lambda record: _read(record, next(numbers)))


class _Beginnings:
    """Whether a line begins another game: a deal, or what announces one, after something of the game before."""

    def __init__(self) -> None:
        self._dealt: dict[bytes, bytes] = {}
        self._begun = self._acted = False

    def __call__(self, line: bytes) -> bool:
        text = line.strip()
        deals = {one or other: text for one, other in _DEALS.findall(text)}
        again = any(self._dealt.get(seat, text) != text for seat in deals)
        begins = again or (self._acted and bool(deals or _ANNOUNCES.match(text)))
        begins |= self._begun and bool(_OPENS.match(text))
        if begins:
            self._dealt, self._begun, self._acted = {}, False, False
        self._dealt |= deals
        self._acted |= bool(_ACTS.search(text) or _ENDS.search(text))
        self._begun |= bool(deals) or self._acted
        return begins


def _read(record: TextRecord, number: int) -> Hand:
    game, heard = Game(record.line), dict[str, Said]()
    lines = record.lines()
    for place, line in enumerate(lines):
        try:
            for said in _said(line, heard):
                game.take(said)
        except BadRecord as fault:
            cut_off = record.last and place == len(lines) - 1 and not record.raw.endswith(b"\n")
            raise BadRecord("truncated", fault.detail) if cut_off else fault from None
    if not game.dealt:
        raise BadRecord("missing_field", f"nobody is dealt cards - from line {record.line} on")
    closed = not record.last or any(line.endswith(")") for _, line in lines)
    if not (closed or game.decided):
        raise BadRecord("truncated", f"the game of line {record.line} is not over when the log ends")
    return game.hand(str(number))


def _said(line: Numbered, heard: dict[str, Said]) -> Iterator[Said]:
    """What a line says, in either form; nothing for a line of no form and for a message heard before."""
    text = line[1].strip()
    if text.startswith((";", "(", ")")):
        yield from _nodes(line[0], text)
        return
    said = _message(line[0], text)
    if said is not None and (said.kind not in heard or heard[said.kind][1:] != said[1:]):
        heard[said.kind] = said
        yield said


def _message(number: int, text: str) -> Said | None:
    if text in ("BID WHAT", "PLAY WHAT"):
        return None
    if (found := _MESSAGE.fullmatch(text)) is not None:
        if found[2] is None:
            raise BadRecord("missing_field", f"{found[1]} says of no seat anything - at line {number}")
        return Said(number, found[1].lower(), found[2], found[3])
    if (info := _INFO.fullmatch(text)) is not None:
        return Said(number, "info", "INFO", info[1])
    error = _ERROR.fullmatch(text)
    return None if error is None else Said(number, "error", error[1], "")


def _nodes(number: int, text: str) -> Iterator[Said]:
    """The nodes of a line of the recorded form; raises `BadRecord` for what is none."""
    place, body = 0, text.strip("(); \t")
    while place < len(body):
        found = _NODE.match(body, place)
        if found is None:
            raise BadRecord("out_of_range", f"{body[place : place + 40]!r} is no node - at line {number}")
        place = found.end()
        yield _node(number, found[1], found[2].strip())


def _node(number: int, key: str, value: str) -> Said:
    if key == "OVER":
        return Said(number, "gameover", value, "")
    if key in _ABOUT:
        return Said(number, "info", key, value)
    if len(key) == 1:
        return Said(number, "play", key, value)
    if len(key) == 2 and key[0] in _KINDS:
        return Said(number, _KINDS[key[0]], key[1], value)
    raise BadRecord("unknown_field", f"there are no nodes {key[:20]!r} - at line {number}")
