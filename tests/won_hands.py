"""A hand in which the landlord, seat 0, bids 1 and goes out with a bomb before anybody else plays: each peasant owes 1·2·2 = 4."""

from __future__ import annotations

from typing import Any

BID: list[dict[str, Any]] = [
    {"seat": 0, "act": "bid", "value": 1},
    {"seat": 1, "act": "decline"},
    {"seat": 2, "act": "decline"},
]
PLAYS: list[dict[str, Any]] = [
    {"seat": 0, "act": "play", "cards": "3333"},
    {"seat": 1, "act": "pass"},
    {"seat": 2, "act": "pass"},
    {"seat": 0, "act": "play", "cards": "4445556667778889"},
]


def won(
    number: int,
    balances: tuple[int, int, int] | None,
    *,
    autoplay: int | None = None,
    until_end: bool = True,
    **more: Any,
) -> dict[str, Any]:
    """Such a hand of ann, bo and cy that began in that minute; `autoplay`: the seat that goes on it before the first play."""
    before: list[dict[str, Any]] = (
        [] if autoplay is None else [{"seat": autoplay, "act": "autoplay", "value": 1}]
    )
    after = [] if autoplay is None or until_end else [{"seat": autoplay, "act": "autoplay", "value": 0}]
    return {
        "format": "ddz/1", "id": f"h{number}", "players": ["ann", "bo", "cy"],
        "started_at": f"2026-01-01T10:{number:02d}:00Z",
        "dealt": ["33334445556667778", "45678TTTTJJJJQQQQ", "999KKKKAAAA2222BR"], "bottom": "889", "landlord": 0,
        "actions": [*BID, *before, *(_by_system(play, autoplay) for play in PLAYS[:3]), *after, PLAYS[3]],
        "outcome": "complete", "rules": "jj-classic", **({"balances": balances} if balances else {}), **more,
    }  # fmt: skip


def _by_system(play: dict[str, Any], autoplay: int | None) -> dict[str, Any]:
    """An act, which the system does for a seat on autoplay."""
    return {**play, "actor": "autoplay"} if play["seat"] == autoplay else play
