"""Autoplay (托管): two flags a seat, episodes, and what the system is bound to play."""

from __future__ import annotations

from .names import Act, Ranks, Row, Rules


def acted_by(act: Act) -> str:
    """Who acted for the seat: player, timeout, autoplay or judge."""
    if act.get("actor"):
        return str(act["actor"])
    return "autoplay" if act.get("auto") else "player"


def limit_ms(act: Act, rules: Rules) -> int | None:
    """The time limit of an act under the rules, in milliseconds; None if there is none."""
    if act["act"] in ("play", "pass"):
        seconds = rules["autoplay.play_seconds"]
    elif act["act"] in ("bid", "call", "rob", "decline"):
        seconds = rules["autoplay.bid_seconds"]
    else:
        seconds = None
    return None if seconds is None else seconds * 1000


def is_timeout(act: Act, rules: Rules) -> bool:
    """`actor: timeout`, or an auto act at or over the limit."""
    if acted_by(act) == "timeout":
        return True
    limit, used = limit_ms(act, rules), act.get("ms")
    return acted_by(act) == "autoplay" and limit is not None and used is not None and used >= limit


class Autoplay:
    """The autoplay state of one seat through a hand."""

    def __init__(self, seat: int, rules: Rules) -> None:
        self.seat = seat
        self.rules = rules
        self.autoplay = False
        self.disconnected = False
        self.episodes: list[Row] = []

    def on(self) -> bool:
        """Either flag is on."""
        return self.autoplay or self.disconnected

    def _start(self, index: int, cards: int, reason: str) -> None:
        if not self.on():
            self.episodes.append(
                {
                    "seat": self.seat,
                    "start_index": index,
                    "end_index": None,
                    "cards_at_start": cards,
                    "cards_at_end": None,
                    "reason": reason,
                }
            )

    def _close_if_off(self, index: int, cards: int, *, was_on: bool) -> None:
        if was_on and not self.on():
            self.episodes[-1]["end_index"] = index
            self.episodes[-1]["cards_at_end"] = cards

    def state_act(self, index: int, act: Act, cards: int) -> None:
        """`autoplay`, `disconnect`, `reconnect`, or an escape that counts as a disconnection."""
        was_on = self.on()
        if act["act"] in ("disconnect", "escape"):
            self._start(index, cards, "disconnect")
            self.autoplay = True
            self.disconnected = True
        elif act["act"] == "autoplay" and act["value"] == 1:
            self._start(index, cards, "button")
            self.autoplay = True
        elif act["act"] == "autoplay":
            self.autoplay = False
        elif act["act"] == "reconnect":
            self.disconnected = False
            if self.rules["autoplay.reconnect_ends"]:
                self.autoplay = False
        self._close_if_off(index, cards, was_on=was_on)

    def own_act(self, index: int, act: Act, cards: int) -> list[str]:
        """An act of the game by or for the seat; returns the codes of the notes it gives rise to."""
        actor = acted_by(act)
        was_on = self.on()
        notes: list[str] = []
        if actor == "judge":
            return notes
        if is_timeout(act, self.rules):
            self._start(index, cards, "timeout")
            self.autoplay = True
        elif actor == "autoplay":
            if self.rules["autoplay.auto_act_starts"] and not was_on:
                notes.append("auto_starts_autoplay")
                self._start(index, cards, "unknown")
                self.autoplay = True
        else:
            limit = limit_ms(act, self.rules)
            if limit is not None and act.get("ms") is not None and act["ms"] > limit:
                notes.append("late_manual_act")
            if self.rules["autoplay.manual_act_ends"]:
                self.autoplay = False
                self.disconnected = False
                self._close_if_off(index, cards, was_on=was_on)
        return notes

    def finish(self, index: int, cards: int) -> None:
        """A running episode ends at the hand's end (but the seat was on autoplay at the end)."""
        if self.on():
            self.episodes[-1]["end_index"] = index
            self.episodes[-1]["cards_at_end"] = cards


def deviates(
    act: Act, played_ranks: Ranks, hand_ranks: Ranks, rules: Rules, *, is_lead: bool, could_beat: bool
) -> bool:
    """Whether the system's play or pass is not what autoplay or a timeout must do."""
    if acted_by(act) not in ("autoplay", "timeout"):
        return False
    if is_lead:
        return tuple(played_ranks) != (min(hand_ranks),)
    last_card = len(hand_ranks) == 1 and rules["autoplay.last_card_follow"] and not is_timeout(act, rules)
    if last_card and could_beat:
        return bool(act["act"] == "pass")
    return bool(act["act"] == "play")
