"""The order of a match: totals, ties by the last hand and by registration (jj J45-J49), and levels (qq Q27)."""

from __future__ import annotations

from collections.abc import Sequence

from .names import Document, Row, Rules
from .rulesets import LEVELS, complete
from .settle import ROLES, SCALE

Hands = Sequence[tuple[Document, Row, Row]]  # document, replayed, settlement; in the order they were played


def standings(hands: Hands, rules: Rules) -> Row:
    """The order of one match's players.

    {"event", "left_out": undefined hands, "rows": [{player, points (ten-thousandths), rank, tie_group, decided_by}],
    "pairs": {(player, player after him in the same tied group): decided_by}}
    """
    return Match(hands, complete(rules)).result()


def level(points: int) -> str:
    """The level reached with so many accumulated points, in ten-thousandths."""
    reached = [name for name, threshold in LEVELS if threshold is None or points >= threshold * SCALE]
    return reached[-1]


def score_of(doc: Document, settlement: Row, seat: int) -> int | None:
    """What a seat scored; None if the hand is undefined."""
    score = settlement[ROLES[(seat - (doc["landlord"] or 0)) % 3]]["score"]
    return None if score is None else int(score)


class Match:
    """The hands of one match under one rule set."""

    def __init__(self, hands: Hands, rules: Rules) -> None:
        self.rules = rules
        self.event: str = rules["standing.event"]
        self.left_out = 0
        self.points: dict[str, int] = {}
        self.registered: dict[str, int] = {}
        self.last: dict[str, tuple[int, int]] = {}  # player: number of his last hand, what counts there
        for number, (doc, replayed, settlement) in enumerate(hands):
            self._take(number, doc, replayed, settlement)

    def _take(self, number: int, doc: Document, replayed: Row, settlement: Row) -> None:
        self.event = doc.get("event") or self.event
        for seat, player in enumerate(doc["players"]):
            self.points.setdefault(player, 0)
            if doc.get("registered"):
                self.registered.setdefault(player, doc["registered"][seat])
        if settlement["score_status"] == "undefined":
            self.left_out += 1
            return
        for seat, player in enumerate(doc["players"]):
            score = score_of(doc, settlement, seat) or 0
            self.points[player] += score
            self.last[player] = (number, self._counts(doc, replayed, seat, score))

    def _counts(self, doc: Document, replayed: Row, seat: int, score: int) -> int:
        """What a last hand is compared by: the points in it, or whether the seat's side won."""
        if self.rules["standing.tie_break_relation"] == "last_hand_points":
            return score
        if replayed["winner_side"] is None:
            return 0
        return int((seat == doc["landlord"]) == (replayed["winner_side"] == "landlord"))

    def result(self) -> Row:
        """The rows in order of rank."""
        rows: list[Row] = []
        pairs: dict[tuple[str, str], str] = {}
        tie_groups = 0
        for total in sorted(set(self.points.values()), reverse=True):
            group = self.ordered([player for player in self.points if self.points[player] == total])
            within = {
                (first, second): self.decided(first, second)
                for place, first in enumerate(group)
                for second in group[place + 1 :]
            }
            pairs.update(within)
            tie_groups += len(group) > 1
            for player in group:
                reasons = {reason for pair, reason in within.items() if player in pair}
                decided = next(
                    (r for r in ("undecided", "last_hand", "registration") if r in reasons), "points"
                )
                tied = tie_groups if len(group) > 1 else None
                row = {"player": player, "points": total, "rank": len(rows) + 1, "tie_group": tied}
                rows.append({**row, "decided_by": decided})
        return {"event": self.event, "left_out": self.left_out, "rows": rows, "pairs": pairs}

    def ordered(self, group: list[str]) -> list[str]:
        """A tied group: by registration, then each subset that shared its last hand by what it got there."""
        order = sorted(group, key=lambda player: (self.registered.get(player, 10**9), player))
        if self.event == "swiss":
            return order
        for hand in {self.last[player][0] for player in group if player in self.last}:
            places = [i for i, player in enumerate(order) if self.last.get(player, (None, 0))[0] == hand]
            refilled = sorted((order[i] for i in places), key=lambda player: -self.last[player][1])
            for place, player in zip(places, refilled, strict=True):
                order[place] = player
        return order

    def decided(self, first: str, second: str) -> str:
        """Why the first of two tied players stands before the second."""
        if self.event != "swiss" and self._related(first, second):
            return "last_hand"
        one, other = self.registered.get(first), self.registered.get(second)
        if one is None or other is None or one == other:
            return "undecided"
        return "registration" if one < other else "last_hand"  # by way of a third player

    def _related(self, first: str, second: str) -> bool:
        """Both played the same last hand and did not get the same in it."""
        if first not in self.last or second not in self.last:
            return False
        return self.last[first][0] == self.last[second][0] and self.last[first][1] != self.last[second][1]
