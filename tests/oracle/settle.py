"""Settle one replayed hand under one rule set: unit, stakes, liability, fees, house.

Amounts of the result are whole ten-thousandths of a point; inside they are exact fractions of a point.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .auction import amount, room_value
from .names import Document, Row, Rules
from .parties import Parties
from .project import Projection
from .rulesets import complete

ROLES = ("landlord", "down", "up")
SCALE = 10_000
LIMIT = 10**18 - 1  # what DECIMAL(18,4) holds
STAKE_COLUMNS = (
    "unit", "bid", "auction_multiplier", "event_multiplier", "doublings_uncapped", "doublings", "cap_bites",
    "cap_amount", "pair_multiplier_down", "pair_multiplier_up", "stake_down", "stake_up",
)  # fmt: skip
PARTS = ("transfer", "liability", "balance_cut", "fee", "rake", "fine", "score")
HOUSE = ("house_rake", "house_fee", "house_forfeit", "house_fine", "house_net")


def settle(doc: Document, replayed: Row, rules: Rules) -> Row:
    """The settlement of one hand under `rules` (flat)."""
    return Settlement(doc, replayed, complete(rules)).run()


class Settlement:
    """One hand under one rule set."""

    def __init__(self, doc: Document, replayed: Row, rules: Rules) -> None:
        self.doc = doc
        self.facts = replayed
        self.rules = rules
        self.landlord = doc["landlord"]
        self.projection = Projection(doc, replayed, rules)
        self.refusals = self.entry_refusals()
        self.stake: Row = {}
        self.liable = {role: False for role in ROLES}

    def run(self) -> Row:
        """Undefined, zeros, a fine, or the hand as played."""
        verdict = self.verdict()
        if verdict is not None:
            status, reason = verdict
            return self.undefined(reason) if status == "undefined" else self.zeros(reason)
        parties = Parties(self.rules)
        if self.doc["outcome"] == "escaped":
            self.fine(parties)
        else:
            self.play(parties)
        return self.checked(parties)

    # Which hands have a settlement at all.

    def verdict(self) -> tuple[str, str] | None:
        """(status, reason) of a hand that is not computed; None if it is."""
        outcome = self.doc["outcome"]
        if outcome == "void":
            return ("zeros", "void")
        if self.doc.get("wild") is not None:
            return ("undefined", "wild_cards")
        if self.facts["replay_status"] == "faulty":
            return ("undefined", "faulty")
        if outcome == "unfinished":
            return ("undefined", "unfinished")
        if outcome == "escaped":
            return self.escape_verdict()
        if self.facts["for_settling"]["nobody_bid"]:
            return self.nobody_bid_verdict()
        return None

    def escape_verdict(self) -> tuple[str, str] | None:
        """What the rules say about an escape."""
        kind = self.rules["escape.kind"]
        if kind == "void":
            return ("zeros", "void")
        if kind != "fine":
            return ("undefined", "escaped")
        if self.facts["escape_stage"] == "play" and self.facts["for_settling"]["nobody_bid"]:
            return self.nobody_bid_verdict()
        return None

    def nobody_bid_verdict(self) -> tuple[str, str] | None:
        """Nobody bid: this rule set's own answer."""
        if self.rules["auction.kind"] == "none" and self.landlord is not None:
            return None
        nobody, extra = self.rules["auction.nobody"], self.facts["for_settling"]
        if nobody == "starter":
            forced = extra["first_speaker"]
        elif nobody == "first_opener_or_redeal" and extra["first_opener"] is not None:
            forced = extra["first_opener"]
        else:
            return ("zeros", "thrown_in")
        if self.landlord is not None and forced == self.landlord:
            return None
        return ("undefined", "forced_landlord")

    def entry_refusals(self) -> list[tuple[int, str, str]]:
        """Seats whose balance is below the entry the room asks."""
        factor, high = self.rules["entry.factor"], room_value(self.doc, "high")
        balances = self.doc.get("balances")
        if not factor or high is None or balances is None:
            return []
        needed = factor * high
        low = [amount(b) <= needed if self.rules["entry.strict"] else amount(b) < needed for b in balances]
        return [(seat, "entry", "own") for seat in range(3) if low[seat]]

    # The stakes.

    def event_multiplier(self, spring: str) -> tuple[int, int]:
        """(counted by the cap, not counted): the multipliers of bombs, rockets and spring."""
        counts = self.rules["cap.counts"]
        factors = {"bombs": self.bomb_factor(), "rockets": self.rocket_factor()}
        if spring != "none":
            factors[spring] = self.rules["events." + spring]
        if self.rules["events.combine"] == "additive":
            raise NotImplementedError("additive events belong to wild-card rule sets")
        counted, uncounted = 1, 1
        for event, factor in factors.items():
            if event in counts:
                counted *= factor
            else:
                uncounted *= factor
        return counted, uncounted

    def counted_bombs(self) -> int:
        """The n of the bomb rule."""
        if self.rules["events.bomb_counts_rocket"] and self.rules["events.bomb_reading"] != "power":
            return int(self.facts["bombs"] + self.facts["rockets"])
        return int(self.facts["bombs"])

    def bomb_factor(self) -> int:
        """2^n, or 1+n in all, or 2 times 3 times 4 ... after each."""
        n, reading = self.counted_bombs(), self.rules["events.bomb_reading"]
        if reading == "total":
            return 1 + n
        if reading == "cumulative":
            product = 1
            for bomb in range(1, n + 1):
                product *= 1 + bomb
            return product
        return int(self.rules["events.bomb"] ** n)

    def rocket_factor(self) -> int:
        """The rockets' factor; 1 where they count as bombs."""
        if self.counted_bombs() != self.facts["bombs"]:
            return 1
        return int(self.rules["events.rocket"] ** self.facts["rockets"])

    def capped(self, counted: int, pair: int) -> int:
        """The counted multiplier of one pair after the cap on doublings, its pair factor included."""
        most: int | None = self.rules["cap.doublings"]
        if most is None:
            return counted * pair
        if self.rules["cap.after_pairs"]:
            return min(counted * pair, int(2**most))
        return min(counted, int(2**most)) * pair

    def set_stakes(self, spring: str, pairs: list[int], auction_multiplier: int) -> list[Fraction]:
        """The stake of both pairs and the columns that explain it."""
        for key in ("cap.multiplier", "cap.pair_amount", "cap.landlord_amount"):
            if self.rules[key] is not None:
                raise NotImplementedError(key)
        projection = self.projection
        unit, bid = projection.unit(), projection.bid()
        start = bid if self.rules["stake.multiplier_starts_at"] == "bid" else 1
        counted, uncounted = self.event_multiplier(spring)
        base = unit * bid * start * auction_multiplier * uncounted
        stakes = [base * self.capped(counted, pair) for pair in pairs]
        cut = sum(base * counted * pair for pair in pairs) - sum(stakes)
        most = self.rules["cap.doublings"]
        shown = counted * max(pairs) if self.rules["cap.after_pairs"] else counted
        limited = shown if most is None else min(shown, 2**most)
        self.stake = {
            "unit": scaled(unit),
            "bid": bid,
            "auction_multiplier": auction_multiplier,
            "event_multiplier": uncounted * (counted if most is None else min(counted, 2**most)),
            "doublings_uncapped": log2(shown),
            "doublings": log2(limited),
            "cap_bites": cut > 0,
            "cap_amount": scaled(cut),
            "pair_multiplier_down": pairs[0],
            "pair_multiplier_up": pairs[1],
            "stake_down": scaled(stakes[0]),
            "stake_up": scaled(stakes[1]),
        }
        return stakes

    def play(self, parties: Parties) -> None:
        """A hand that was played out."""
        projection, down, up = self.projection, (self.landlord + 1) % 3, (self.landlord + 2) % 3
        doubles, refusals = projection.doubles()
        self.refusals += refusals
        kicks = projection.kicks()
        pairs = [doubles[seat] * doubles[self.landlord] * kicks[seat] for seat in (down, up)]
        auction_multiplier = self.rules["auction.rob_factor"] ** projection.robs() * projection.opening()
        stakes = self.set_stakes(self.facts["spring"], pairs, auction_multiplier)
        projection.replay_rules()
        landlord_won = self.facts["winner_side"] == "landlord"
        parties.transfer(stakes, landlord_won=landlord_won)
        liable = [parties.is_liable(self.facts["seats"][seat]) for seat in (down, up)]
        parties.liability(stakes, liable, landlord_won=landlord_won)
        policy = self.rules["liability.when_losing" if landlord_won else "liability.when_winning"]
        self.liable.update(down=liable[0] and policy != "none", up=liable[1] and policy != "none")
        if self.rules["balance.minimised"]:
            raise NotImplementedError("balance.minimised")
        parties.rake()
        if self.rules["house.fee"] == "room.fee":
            parties.fee(projection.room("fee"), ROLES)

    def fine(self, parties: Parties) -> None:
        """The escape of an escaped hand."""
        projection, facts = self.projection, self.facts
        if facts["escape_stage"] == "before_any_bid":
            unit = projection.unit()
            fine = unit * self.rules["escape.before_bid"]
            self.stake = {"unit": scaled(unit), "bid": None, "event_multiplier": 1}
        else:
            self.set_stakes("none", [1, 1], 1)
            self.stake.update(stake_down=0, stake_up=0, cap_bites=False, cap_amount=0)
            multiplier = self.stake["event_multiplier"]
            fine = projection.unit() * projection.bid() * self.rules["escape.factor"] * multiplier
        projection.replay_rules()
        escaper = self.role_of(facts["escaped_seat"])
        parties.fine(fine, escaper)
        if self.rules["house.fee"] == "room.fee":
            who = {"all": ROLES, "escaper": (escaper,), "none": ()}[self.rules["escape.fee"]]
            parties.fee(projection.room("fee"), who)

    def role_of(self, seat: int) -> str:
        """The role of a seat; without a landlord the roles are the seats in order."""
        return ROLES[(seat - (self.landlord or 0)) % 3]

    def head(self, status: str, reason: str | None) -> Row:
        """The columns that every settlement has."""
        used = self.projection.assumptions if status in ("exact", "projected") else set()
        return {
            "score_status": status,
            "reason": reason,
            "assumptions": set(used),
            "refusals": self.refusals,
            "liable": dict(self.liable),
        }

    def undefined(self, reason: str) -> Row:
        """No amounts, and nobody liable or refused a double."""
        self.liable = dict.fromkeys(ROLES, False)
        self.refusals = self.entry_refusals()
        result = self.head("undefined", reason)
        result.update({column: None for column in STAKE_COLUMNS + HOUSE})
        result.update({role: {part: None for part in PARTS} for role in ROLES})
        return result

    def zeros(self, reason: str) -> Row:
        """Every amount is zero, exactly."""
        result = self.head("exact", reason)
        result.update({column: None for column in STAKE_COLUMNS})
        result.update(cap_bites=False, cap_amount=0, stake_down=0, stake_up=0)
        result.update({column: 0 for column in HOUSE})
        result.update({role: {part: 0 for part in PARTS} for role in ROLES})
        return result

    def checked(self, parties: Parties) -> Row:
        """The computed settlement, if its amounts can be represented."""
        status = "projected" if self.projection.assumptions else "exact"
        result = self.head(status, None)
        amounts = parties.amounts()
        flat = [value for role in ROLES for value in amounts[role].values()] + [amounts[key] for key in HOUSE]
        flat += [self.stake.get(key) or 0 for key in ("unit", "stake_down", "stake_up", "cap_amount")]
        if any(abs(value) > LIMIT for value in flat):
            return self.undefined("overflow")
        if any(value != int(value) for value in flat):
            return self.undefined("not_representable")
        result.update({column: whole(self.stake.get(column)) for column in STAKE_COLUMNS})
        result.update({key: int(amounts[key]) for key in HOUSE})
        result.update({role: {part: int(value) for part, value in amounts[role].items()} for role in ROLES})
        return result


def whole(value: Any) -> Any:
    """An exact number as an int where it is one."""
    return int(value) if isinstance(value, Fraction) and value == int(value) else value


def scaled(value: Fraction | int) -> Fraction:
    """Points as ten-thousandths."""
    return Fraction(value) * SCALE


def log2(value: int) -> int | None:
    """The exponent of a power of two; None for any other number."""
    exponent = int(value).bit_length() - 1
    return exponent if 2**exponent == value else None
