"""What happens before the first card: openings, doubles and kicks."""

from __future__ import annotations

from .auction import amount
from .names import Act, Issue, Rules


def offers_opening(rules: Rules) -> bool:
    """Whether the rules know an open hand."""
    return any(rules["open_hand." + key] != 1 for key in ("start", "deal_early", "deal_late", "bottom"))


def offers(rules: Rules, act: str) -> bool:
    """Whether the rules know this kind of act."""
    if act == "open":
        return offers_opening(rules)
    return bool(rules[act + ".factor"] != 1)


def stage_values(rules: Rules, stage: str) -> set[int]:
    """The multipliers that a stage of opening can have."""
    if stage == "deal":
        return {rules["open_hand.deal_early"], rules["open_hand.deal_late"]}
    return {rules["open_hand." + stage]}


def opening_factor(rules: Rules, opening: Act) -> tuple[int, bool]:
    """The factor of one opening that counts, and whether the log left it open."""
    stage = opening["stage"]
    if stage != "deal":
        return rules["open_hand." + stage], False
    value = opening.get("value")
    if value is not None and amount(value) in stage_values(rules, "deal"):
        return int(amount(value)), False
    if opening.get("dealt") is not None:
        early = opening["dealt"] <= rules["open_hand.early_max_dealt"]
        return rules["open_hand.deal_early" if early else "open_hand.deal_late"], False
    return rules["open_hand.deal_late"], True


class Setup:
    """The openings, doubles and kicks of one hand."""

    def __init__(self, landlord: int | None, rules: Rules, *, known: bool) -> None:
        self.landlord = landlord
        self.rules = rules
        self.known = known
        self.openings: list[Act] = []
        self.first_opener: int | None = None
        self.opened = [False, False, False]
        self.doubled: list[int | None] = [None, None, None]
        self.kicked: list[int | None] = [None, None, None]
        self.seen = {"open": 0, "double": 0, "kick": 0}
        self.issues: list[Issue] = []

    def take(self, index: int, act: Act, *, calling_begun: bool) -> None:
        """One open, double or kick."""
        name, seat = act["act"], act["seat"]
        self.seen[name] += 1
        if self.known and not offers(self.rules, name):
            self.issues.append(("act_not_in_rules", "note", index, seat))
        if name == "open":
            self._open(index, act, calling_begun=calling_begun)
        else:
            self._double_or_kick(index, act)

    def _open(self, index: int, act: Act, *, calling_begun: bool) -> None:
        seat = act["seat"]
        if any(opening["seat"] == seat for opening in self.openings) or self.opened[seat]:
            self._auction_issue("open_twice", index, seat)
            return
        self.opened[seat] = True
        if act["stage"] == "bottom" and seat != self.landlord:
            self.issues.append(("open_not_landlord", "note", index, seat))
        offered = self.known and offers_opening(self.rules)
        recorded = act.get("value")
        if (
            offered
            and recorded is not None
            and amount(recorded) not in stage_values(self.rules, act["stage"])
        ):
            self.issues.append(("open_value", "note", index, seat))
        self.openings.append(act)
        if act["stage"] != "bottom" and not calling_begun and self.first_opener is None:
            self.first_opener = seat

    def _double_or_kick(self, index: int, act: Act) -> None:
        name, seat = act["act"], act["seat"]
        chosen = self.doubled if name == "double" else self.kicked
        if chosen[seat] is not None:
            self._auction_issue(name + "_twice", index, seat)
            return
        chosen[seat] = act["value"]
        if name == "double" and act["value"] == 4 and not self.rules["double.super"]:
            self.issues.append(("double_super", "note", index, seat))

    def _auction_issue(self, code: str, index: int, seat: int) -> None:
        self.issues.append((code, "error" if self.known else "note", index, seat))

    def counting_openings(self) -> list[Act]:
        """The openings that count: all but those of a peasant after the bottom cards."""
        return [act for act in self.openings if act["stage"] != "bottom" or act["seat"] == self.landlord]

    def open_multiplier(self) -> int:
        """The largest opening under the recorded rules; where they know none, the largest value recorded."""
        factors = [1]
        for act in self.counting_openings():
            if self.known and offers_opening(self.rules):
                factors.append(opening_factor(self.rules, act)[0])
            elif act.get("value") is not None:
                factors.append(int(amount(act["value"])))
        return max(factors)

    def opened_seats(self) -> list[bool]:
        """Per seat: opened in a way that counts."""
        counting = {act["seat"] for act in self.counting_openings()}
        return [seat in counting for seat in range(3)]
