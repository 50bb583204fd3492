"""Names for the players that a log does not name: who plays each role (`--agents`)."""

from __future__ import annotations

from collections.abc import Mapping

from ddz_analytics.errors import UsageError
from ddz_analytics.hands import ROLE_NAMES, SEATS, Hand
from ddz_analytics.parsers.base import UNNAMED


def agents_by_role(text: str) -> dict[str, str]:
    """`landlord=A,landlord_down=B` as a mapping; raises UsageError `agents`."""
    found: dict[str, str] = {}
    for part in text.split(","):
        role, _, name = (word.strip() for word in part.partition("="))
        if role not in ROLE_NAMES or role in found or not name:
            mend = "write it like landlord=A,landlord_down=B,landlord_up=C"
            raise UsageError("agents", f"{part!r} names no role's player", mend=mend)
        found[role] = name
    return found


def name_players(hand: Hand, agents: Mapping[str, str]) -> None:
    """Name the seats that the log leaves unnamed, by their roles; an agent of several roles also by its seat."""
    if hand.landlord is None or not agents:
        return
    names = list(hand.players)
    for place, role in enumerate(ROLE_NAMES):
        seat = (hand.landlord + place) % SEATS
        if names[seat] == UNNAMED[seat] and role in agents:
            several = list(agents.values()).count(agents[role]) > 1
            names[seat] = f"{agents[role]}#{seat}" if several else agents[role]
    hand.players = (names[0], names[1], names[2])
