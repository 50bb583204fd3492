"""What one pair settles before liability: events, caps, and the columns that explain them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from .names import Row, Rules
from .rounding import scaled_to


class Events:
    """The multipliers of bombs, rockets and spring of one hand under one rule set.

    `happened` has the numbers of bombs, soft, hard, pure ones and rockets, and the spring by name.
    `counted` is what the cap on doublings looks at, `uncounted` the rest: a factor, or under additive rules
    a sum that is added.
    """

    def __init__(self, happened: Row, rules: Rules) -> None:
        self.happened = happened
        self.rules = rules
        spring = happened["spring"]
        self.additive = rules["events.combine"] == "additive"
        parts = {"bombs": self._bombs(), "rockets": self._rockets()}
        if spring != "none":
            parts[spring] = rules["events." + spring]
        counts = rules["cap.counts"]
        inside = [part for event, part in parts.items() if event in counts]
        outside = [part for event, part in parts.items() if event not in counts]
        if self.additive:
            self.counted, self.uncounted = 1 + sum(inside), sum(outside)
        else:
            self.counted, self.uncounted = product(inside), product(outside)

    def _bombs(self) -> int:
        """Under wild-card rules by kind; else 2^n, or 1+n in all, or 2 times 3 times 4 ... after each."""
        rules = self.rules
        if rules["wild.enabled"]:
            each = [(rules["events." + kind], self.happened[kind]) for kind in ("soft", "hard", "pure")]
            if self.additive:
                return sum(value * number for value, number in each)
            return product(value**number for value, number in each)
        n, reading = self._n(), rules["events.bomb_reading"]
        if reading == "power":
            return int(rules["events.bomb"] * n if self.additive else rules["events.bomb"] ** n)
        factor = 1 + n if reading == "total" else product(range(2, n + 2))
        return factor - 1 if self.additive else factor

    def _rockets_are_bombs(self) -> bool:
        """The bomb rule takes the rockets among its n."""
        rules = self.rules
        special = rules["events.bomb_reading"] != "power" and not rules["wild.enabled"]
        return bool(special and rules["events.bomb_counts_rocket"])

    def _n(self) -> int:
        """The n of the bomb rule."""
        rockets = self.happened["rockets"] if self._rockets_are_bombs() else 0
        return int(self.happened["bombs"] + rockets)

    def _rockets(self) -> int:
        """The rockets' part; nothing where they count as bombs."""
        rockets = 0 if self._rockets_are_bombs() else self.happened["rockets"]
        value = self.rules["events.rocket"]
        return int(value * rockets if self.additive else value**rockets)

    def multiplier(self, pair: int = 1) -> int:
        """The event multiplier after the cap on doublings; with a pair factor, that pair's with the factor inside."""
        counted = self.limited(pair)
        if self.additive:
            return int(counted + self.uncounted * pair)
        return int(counted * self.uncounted)

    def uncapped(self) -> int:
        """The event multiplier without any cap."""
        return int(self.counted + self.uncounted if self.additive else self.counted * self.uncounted)

    def limited(self, pair: int = 1) -> int:
        """The counted multiplier times a pair factor, after the cap on doublings."""
        most = self.rules["cap.doublings"]
        return self.counted * pair if most is None else min(self.counted * pair, int(2**most))


def product(factors: Iterable[int]) -> int:
    """The product of some integers, 1 of none."""
    result = 1
    for factor in factors:
        result *= factor
    return result


class Stakes:
    """Both pairs' stakes of one hand."""

    def __init__(self, rules: Rules, events: Events, base: Fraction, auction_multiplier: int) -> None:
        self.rules = rules
        self.events = events
        self.base = base  # unit times bid, and once more the bid where the multiplier starts at it
        self.auction_multiplier = auction_multiplier

    def of(self, pairs: list[int]) -> list[Fraction]:
        """The stakes of two pairs with these factors of their own."""
        after = self.rules["cap.after_pairs"]
        stakes = [self._one(pair if after else 1, 1 if after else pair) for pair in pairs]
        most = self.rules["cap.landlord_amount"]
        if most is not None and after:
            return scaled_to(stakes, Fraction(str(most)), Fraction(str(self.rules["balance.rounding_unit"])))
        return stakes

    def _one(self, inside: int, outside: int) -> Fraction:
        """One stake; `inside` is the pair factor that the caps see, `outside` the one that they do not."""
        rules = self.rules
        multiplier = self.auction_multiplier * self.events.multiplier(inside)
        if rules["cap.multiplier"] is not None:
            multiplier = min(multiplier, rules["cap.multiplier"])
        amount = self.base * multiplier
        if rules["cap.pair_amount"] is not None:
            amount = min(amount, Fraction(str(rules["cap.pair_amount"])))
        if rules["cap.landlord_amount"] is not None and not rules["cap.after_pairs"]:
            amount = min(amount, Fraction(str(rules["cap.landlord_amount"])) / 2)
        return amount * outside

    def uncapped(self, pairs: list[int]) -> list[Fraction]:
        """The stakes that there would be without any cap."""
        multiplier = self.auction_multiplier * self.events.uncapped()
        return [self.base * multiplier * pair for pair in pairs]

    def columns(self, pairs: list[int]) -> Row:
        """The columns about events and caps; with caps after the pairs those of the larger pair."""
        largest = max(pairs) if self.rules["cap.after_pairs"] else 1
        stakes, uncapped = self.of(pairs), self.uncapped(pairs)
        return {
            "auction_multiplier": self.auction_multiplier,
            "event_multiplier": self.events.multiplier(),
            "doublings_uncapped": log2(self.events.counted * largest),
            "doublings": log2(self.events.limited(largest)),
            "cap_bites": stakes != uncapped,
            "cap_amount": scaled(sum(uncapped) - sum(stakes)),
            "pair_multiplier_down": pairs[0],
            "pair_multiplier_up": pairs[1],
            "stake_down": scaled(stakes[0]),
            "stake_up": scaled(stakes[1]),
        }


def scaled(value: Fraction | int) -> Fraction:
    """Points as ten-thousandths."""
    return Fraction(value) * 10_000


def log2(value: int) -> int | None:
    """The exponent of a power of two; None for any other number."""
    exponent = int(value).bit_length() - 1
    return exponent if value > 0 and 2**exponent == value else None
