"""Chained balances: every player goes on with what the scored rule set left him (DESIGN 10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .auction import amount
from .names import Document, Row, Rules
from .project import balances_of
from .settle import SCALE, settle
from .standings import score_of


def chained(hands: Sequence[tuple[Document, Row]], rules: Rules) -> list[Row]:
    """Settle hands (document, replayed) one after another, each with the balances the earlier ones left.

    Per hand {"hand_id", "settlement", "before", "outside", "after"}: the last three per seat, in
    ten-thousandths, None where there is no balance (yet); `outside` is the money from elsewhere.
    """
    purses: dict[str, Purse] = {}
    rows: list[Row] = []
    for doc, replayed in hands:
        seats = [purses.setdefault(player, Purse()) for player in doc["players"]]
        outside = [purse.open(said) for purse, said in zip(seats, balances_of(doc), strict=True)]
        before = [purse.has for purse in seats]
        settlement = settle({**doc, "balances": before}, replayed, rules)
        for seat, purse in enumerate(seats):
            purse.close(doc, score_of(doc, settlement, seat), seat)
        row = {"hand_id": doc["id"], "settlement": settlement, "before": scaled(before)}
        rows.append({**row, "outside": scaled(outside), "after": scaled([purse.has for purse in seats])})
    return rows


def logged_change(doc: Document, seat: int) -> Fraction:
    """What the log says a hand changed: its balance after less that before, else its score, else nothing."""
    recorded, before = doc.get("recorded") or {}, balances_of(doc)[seat]
    if recorded.get("balances_after") is not None and before is not None:
        return amount(recorded["balances_after"][seat]) - before
    return amount(recorded["scores"][seat]) if recorded.get("scores") is not None else Fraction(0)


def scaled(values: Sequence[Fraction | None]) -> list[int | None]:
    """Points as whole ten-thousandths."""
    return [None if value is None else int(value * SCALE) for value in values]


class Purse:
    """One player's chained balance, and what the log's own scores say he has."""

    def __init__(self) -> None:
        self.has: Fraction | None = None
        self.logged: Fraction | None = None

    def open(self, said: Fraction | None) -> Fraction | None:
        """Before a hand: the balance that the log says; returns the money from elsewhere, None at the first."""
        outside = Fraction(0)
        if said is not None and self.logged is not None:
            outside = said - self.logged
        if self.has is None:
            self.has, outside = said, Fraction(0)
        else:
            self.has += outside
        if said is not None:
            self.logged = said
        return None if self.has is None else outside

    def close(self, doc: Document, score: int | None, seat: int) -> None:
        """After a hand: what the scored rule set gives, else the log's own change; and what the log's scores left."""
        if self.has is not None:
            self.has += logged_change(doc, seat) if score is None else Fraction(score, SCALE)
        recorded = doc.get("recorded") or {}
        if recorded.get("balances_after") is not None:
            self.logged = amount(recorded["balances_after"][seat])
        elif recorded.get("scores") is not None and self.logged is not None:
            self.logged += amount(recorded["scores"][seat])
        else:
            self.logged = None
