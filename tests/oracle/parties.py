"""The four parties of a settlement, landlord, down, up and the house; they sum to zero after every step."""

from __future__ import annotations

from fractions import Fraction

from .names import Row, Rules

SCALE = 10_000
ROLES = ("landlord", "down", "up")
PEASANTS = ("down", "up")
PARTS = ("transfer", "liability", "balance_cut", "fee", "rake", "fine")


def others_after(role: str) -> list[str]:
    """The other two roles, the seat that plays next first."""
    place = ROLES.index(role)
    return [ROLES[(place + 1) % 3], ROLES[(place + 2) % 3]]


class Parties:
    """What each party gains, step by step, in exact points."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.parts = {role: {part: Fraction(0) for part in PARTS} for role in ROLES}
        self.house = {key: Fraction(0) for key in ("rake", "fee", "forfeit", "fine")}

    def assert_zero(self) -> None:
        """All parties together neither gain nor lose."""
        assert sum(sum(parts.values()) for parts in self.parts.values()) + sum(self.house.values()) == 0

    def transfer(self, stakes: list[Fraction], *, landlord_won: bool) -> None:
        """Each peasant settles his stake with the landlord."""
        sign = 1 if landlord_won else -1
        for peasant, stake in zip(PEASANTS, stakes, strict=True):
            self.parts[peasant]["transfer"] -= sign * stake
            self.parts["landlord"]["transfer"] += sign * stake
        self.assert_zero()

    def is_liable(self, seat: Row) -> bool:
        """Whether a peasant counts as on autoplay."""
        limit = self.rules["liability.exempt_cards"]
        any_time = self.rules["liability.status"] == "any_time"
        if not (seat["autoplay_ever"] if any_time else seat["autoplay_at_end"]):
            return False
        if self.rules["liability.exempt_measured"] == "at_end":
            return not 1 <= seat["cards_left"] <= limit
        if any_time:
            return not all(cards <= limit for cards in seat["autoplay_cards"])
        return not seat["autoplay_started_with"] <= limit

    def liability(self, stakes: list[Fraction], liable: list[bool], *, landlord_won: bool) -> None:
        """Who pays and who receives when a peasant is on autoplay."""
        if not any(liable):
            return
        shares = self._losing(stakes, liable) if landlord_won else self._winning(stakes, liable)
        for peasant, share in zip(PEASANTS, shares, strict=True):
            self.parts[peasant]["liability"] = share - self.parts[peasant]["transfer"]
        self.assert_zero()

    def _losing(self, stakes: list[Fraction], liable: list[bool]) -> list[Fraction]:
        """The peasants' transfers after liability when they lose (negative)."""
        together = sum(stakes, Fraction(0))
        if self.rules["liability.when_losing"] == "none":
            return [-stake for stake in stakes]
        if all(liable):
            if self.rules["liability.both_losing"] == "equal_split":
                return [-together / 2, -together / 2]
            return [-stake for stake in stakes]
        return [-together if is_liable else Fraction(0) for is_liable in liable]

    def _winning(self, stakes: list[Fraction], liable: list[bool]) -> list[Fraction]:
        """The peasants' transfers after liability when they win."""
        together = sum(stakes, Fraction(0))
        if self.rules["liability.when_winning"] == "none":
            return list(stakes)
        if not all(liable):
            return [Fraction(0) if is_liable else together for is_liable in liable]
        policy = self.rules["liability.both_winning"]
        if policy == "normal":
            return list(stakes)
        if policy == "forfeit":
            self.house["forfeit"] += together
        else:
            self.parts["landlord"]["liability"] += together
        return [Fraction(0), Fraction(0)]

    def rake(self) -> None:
        """Each winner pays a share of his own gain."""
        share = Fraction(self.rules["house.rake"])
        for parts in self.parts.values():
            gain = parts["transfer"] + parts["liability"] + parts["balance_cut"]
            if gain <= 0 or share == 0:
                continue
            rake = gain * share
            if self.rules["house.rake_rounding"] == "floor":
                rake = Fraction(int(rake))
            parts["rake"] -= rake
            self.house["rake"] += rake
        self.assert_zero()

    def fee(self, role: str, fee: Fraction) -> None:
        """One role pays the room's fee, unless it is told apart from the scores."""
        if not self.rules["house.fee_in_score"]:
            return
        self.parts[role]["fee"] -= fee
        self.house["fee"] += fee
        self.assert_zero()

    def fine(self, escaper: str, fine: Fraction) -> None:
        """The escaper owes a whole fine: to the house, or half each to the others."""
        self.parts[escaper]["fine"] -= fine
        if self.rules["escape.to"] == "house":
            self.house["fine"] += fine
        else:
            for role in others_after(escaper):
                self.parts[role]["fine"] += fine / 2
        self.assert_zero()

    def amounts(self) -> Row:
        """Everything in ten-thousandths, still exact."""
        result: Row = {}
        for role in ROLES:
            parts = {part: value * SCALE for part, value in self.parts[role].items()}
            result[role] = {**parts, "score": sum(parts.values())}
        for key, value in self.house.items():
            result["house_" + key] = value * SCALE
        result["house_net"] = sum(value * SCALE for value in self.house.values())
        return result
