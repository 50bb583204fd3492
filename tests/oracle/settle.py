"""Settle one replayed hand under one rule set: unit, stakes, liability, balances, rake, fees, house.

Amounts of the result are whole ten-thousandths of a point; inside they are exact fractions of a point.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .auction import room_value
from .balances import Minimised
from .names import Document, Row, Rules
from .parties import Parties
from .project import Projection, balances_of
from .rulesets import complete
from .stakes import Events, Stakes, scaled

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
    """The settlement of one hand under `rules` (flat); its rows about refused doubles say what they would change."""
    rules = complete(rules)
    result = Settlement(doc, replayed, rules).run()
    for row in result["refusal_rows"]:
        if row["what"] == "double":
            other = Settlement(doc, replayed, rules, frozenset([row["seat"]])).run()
            role = ROLES[(row["seat"] - doc["landlord"]) % 3]
            then, now = other[role]["score"], result[role]["score"]
            row["would_change"] = None if then is None else Fraction(then - now, SCALE)
    return result


class Settlement:
    """One hand under one rule set; the seats `permitted` may double whatever they have."""

    def __init__(
        self, doc: Document, replayed: Row, rules: Rules, permitted: frozenset[int] = frozenset()
    ) -> None:
        self.doc = doc
        self.facts = replayed
        self.rules = rules
        self.permitted = permitted
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
        if self.facts["replay_status"] == "faulty":
            return ("undefined", "faulty")
        if outcome == "unfinished":
            return ("undefined", "unfinished")
        by_outcome = self.escape_verdict() if outcome == "escaped" else self.nobody_bid_verdict()
        if by_outcome is not None and by_outcome[1] != "forced_landlord":
            return by_outcome
        if self.facts.get("needs_wild") and not self.rules["wild.enabled"]:
            return ("undefined", "needs_wild")
        if by_outcome is None and self.rules["balance.minimised"] and None in balances_of(self.doc):
            return ("undefined", "no_balances")
        return by_outcome

    def escape_verdict(self) -> tuple[str, str] | None:
        """What the rules say about an escape."""
        kind = self.rules["escape.kind"]
        if kind == "void":
            return ("zeros", "void")
        if kind != "fine" or self.facts["escaped_seat"] is None:
            return ("undefined", "escaped")
        return self.nobody_bid_verdict() if self.facts["escape_stage"] == "play" else None

    def nobody_bid_verdict(self) -> tuple[str, str] | None:
        """Nobody bid: this rule set's own answer; None if somebody did."""
        if not self.facts["for_settling"]["nobody_bid"]:
            return None
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

    def entry_refusals(self) -> list[Row]:
        """Seats whose balance is below the entry the room asks."""
        factor, high = self.rules["entry.factor"], room_value(self.doc, "high")
        if not factor or high is None:
            return []
        needed = factor * high
        rows: list[Row] = []
        for seat, balance in enumerate(balances_of(self.doc)):
            if balance is None or balance > needed or (balance == needed and not self.rules["entry.strict"]):
                continue
            row = {"seat": seat, "what": "entry", "reason": "own", "threshold": needed, "balance": balance}
            rows.append({**row, "would_change": None})
        return rows

    # The stakes.

    def set_stakes(self, spring: str, pairs: list[int], auction_multiplier: int) -> list[Fraction]:
        """The stake of both pairs and the columns that explain it."""
        projection = self.projection
        unit, bid = projection.unit(), projection.bid()
        start = bid if self.rules["stake.multiplier_starts_at"] == "bid" else 1
        # Without the identity factor X is the landlord's, half of it each peasant's.
        share = 1 if self.rules["stake.identity_included"] else 2
        events = Events(projection.happened(spring), self.rules)
        stakes = Stakes(self.rules, events, unit * bid * start / share, auction_multiplier)
        self.stake = {"unit": scaled(unit), "bid": bid, **stakes.columns(pairs)}
        return stakes.of(pairs)

    def play(self, parties: Parties) -> None:
        """A hand that was played out."""
        projection, down, up = self.projection, (self.landlord + 1) % 3, (self.landlord + 2) % 3
        doubles, refusals = projection.doubles(self.permitted)
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
        fees = self.fees(ROLES)
        minimised = self.minimised(parties, fees)
        if minimised:
            minimised.payments(liable, landlord_won=landlord_won)
        parties.rake()
        self.charge(parties, fees, minimised)

    def fine(self, parties: Parties) -> None:
        """The escape of an escaped hand."""
        projection, facts = self.projection, self.facts
        if facts["escape_stage"] == "before_any_bid":
            unit = projection.unit()
            fine = unit * self.rules["escape.before_bid"]
            self.stake = {"unit": scaled(unit), "bid": None, "event_multiplier": 1}
        else:
            self.set_stakes("none", [1, 1], 1)
            multiplier, most = self.stake["event_multiplier"], self.rules["cap.multiplier"]
            multiplier = multiplier if most is None else min(multiplier, most)
            fine = projection.unit() * projection.bid() * self.rules["escape.factor"] * multiplier
            self.stake.update(stake_down=0, stake_up=0, cap_bites=False, cap_amount=0)
        projection.replay_rules()
        escaper = self.role_of(facts["escaped_seat"])
        who = {"all": ROLES, "escaper": (escaper,), "none": ()}[self.rules["escape.fee"]]
        fees = self.fees(who)
        minimised = self.minimised(parties, fees)
        parties.fine(escaper, fine)
        if minimised:
            minimised.fine(escaper)
        self.charge(parties, fees, minimised)

    # Balances and fees.

    def fees(self, who: tuple[str, ...]) -> dict[str, Fraction]:
        """What each role is to pay the room."""
        due = Fraction(0)
        if who and self.rules["house.fee"] == "room.fee":
            due = self.projection.room("fee")
        return {role: due if role in who else Fraction(0) for role in ROLES}

    def minimised(self, parties: Parties, fees: dict[str, Fraction]) -> Minimised | None:
        """The balances, if the rules look at them."""
        if not self.rules["balance.minimised"]:
            return None
        known = [balance for balance in balances_of(self.doc) if balance is not None]
        first = self.landlord or 0
        return Minimised(parties, [known[(first + place) % 3] for place in range(3)], fees)

    @staticmethod
    def charge(parties: Parties, fees: dict[str, Fraction], minimised: Minimised | None) -> None:
        """Every role pays its fee, under minimisation at most what it has."""
        for role in ROLES:
            parties.fee(role, minimised.fee_of(role) if minimised else fees[role])

    # The result.

    def role_of(self, seat: int) -> str:
        """The role of a seat; without a landlord the roles are the seats in order."""
        return ROLES[(seat - (self.landlord or 0)) % 3]

    def head(self, status: str, reason: str | None) -> Row:
        """The columns that every settlement has; `refusals` are (seat, what, reason)."""
        used = self.projection.assumptions if status in ("exact", "projected") else set()
        return {
            "score_status": status,
            "reason": reason,
            "assumptions": set(used),
            "refusals": [(row["seat"], row["what"], row["reason"]) for row in self.refusals],
            "refusal_rows": self.refusals,
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
