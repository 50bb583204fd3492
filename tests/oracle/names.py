"""The shapes that the oracle passes around: plain dictionaries, as a log and a rule file have them."""

from __future__ import annotations

from collections import Counter
from typing import Any

Document = dict[str, Any]  # one hand as a `ddz/1` line tells it
Act = dict[str, Any]  # one of its actions
Rules = dict[str, Any]  # every dotted key of a rule file with its value
Row = dict[str, Any]  # something found out, by name
Reading = tuple[str, int, int]  # category, length, main rank
Ranks = tuple[int, ...]  # of some cards, lowest first
Issue = tuple[str, str, int | None, int | None]  # code, severity, action index, seat
Counts = Counter[int]  # how many cards of each rank
