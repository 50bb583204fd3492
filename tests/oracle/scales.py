"""Two recorded scales that are no settlement: RLCard's payoff and Botzone's first FightTheLandlord.

Both only serve to check recorded numbers; neither sums to zero.  Results are exact, per seat.
"""

from __future__ import annotations

from fractions import Fraction

from .names import Document, Row

PLAY_POINTS = {
    "single": 1, "pair": 2, "trio": 4, "trio_single": 4, "trio_pair": 4, "straight": 6, "pair_chain": 6,
    "trio_chain": 8, "plane_single": 8, "plane_pair": 8, "four_two_single": 8, "four_two_pair": 8, "four_two_mixed": 8,
    "bomb": 10, "shuttle": 10, "rocket": 16,
}  # fmt: skip
ERROR_OWN, ERROR_OTHERS = Fraction(-1), Fraction(5, 2)


def rlcard_payoff(doc: Document, replayed: Row) -> list[Fraction] | None:
    """1 for each seat of the winning side, 0 for the others; None if nobody went out or the hand is faulty."""
    won = winners(doc, replayed)
    return None if won is None else [Fraction(int(seat in won)) for seat in range(3)]


def botzone_v1(doc: Document, replayed: Row) -> list[Fraction] | None:
    """2 for the winners, 0 for the losers, plus a hundredth of the play points, those of the peasants averaged."""
    won = winners(doc, replayed)
    if won is None:
        return None
    points = [Fraction(0), Fraction(0), Fraction(0)]
    for play in replayed["plays"]:
        category = str(play["category"])
        points[play["seat"]] += PLAY_POINTS["bomb" if category.startswith("bomb") else category]
    landlord = doc["landlord"]
    peasants = [seat for seat in range(3) if seat != landlord]
    average = sum((points[seat] for seat in peasants), Fraction(0)) / 2
    points = [points[seat] if seat == landlord else average for seat in range(3)]
    return [points[seat] / 100 + (2 if seat in won else 0) for seat in range(3)]


def botzone_v1_error(doc: Document, seat: int) -> list[Fraction]:
    """The scores of a hand that ends by an error of a seat: its side gets -1, the other side 2.5."""
    landlord = doc["landlord"]
    return [ERROR_OWN if (other == landlord) == (seat == landlord) else ERROR_OTHERS for other in range(3)]


def winners(doc: Document, replayed: Row) -> set[int] | None:
    """The seats of the winning side; None if there is none."""
    if replayed["replay_status"] != "ok" or replayed["winner_side"] is None:
        return None
    landlord = doc["landlord"]
    return {seat for seat in range(3) if (seat == landlord) == (replayed["winner_side"] == "landlord")}
