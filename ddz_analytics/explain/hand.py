"""One hand as it is being told: what a step is, before it is written out and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ddz_analytics.explain.cited import citation
from ddz_analytics.hands import SCALE
from ddz_analytics.locale import term, text
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.assumptions import BIT_OF
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.settlement.parties import Parties
from ddz_analytics.settlement.settle import Settled

PEASANTS = ("down", "up")
_RESTS_ON = {
    "unit": ("room.unit", "room.rate"),
    "bid": ("bid", "room_bid", "room.low", "room.high"),
    "robs": ("robs",),
    "opening": ("open_hand", "open_value"),
    "events": ("bombs_hard", "combinations"),
    "pairs": ("doubles", "doubles_allowed", "kicks"),
    "liability": ("autoplay", "autoplay_rules"),
    "fee": ("room.fee",),
}


class WorkedStep(NamedTuple):
    """One step as texts. Amounts are exact decimals; `before` and `after` are what one pair plays for, empty once money moves.

    `landlord`, `down`, `up` and `house` are what each party has after the step; empty where the hand has no score.
    """

    concept: str
    title: str
    words: str
    citation: str
    operand: str
    before: str
    after: str
    landlord: str
    down: str
    up: str
    house: str


class Told(NamedTuple):
    """A step before it is written out: amounts in points; `change` is None while nothing has moved.

    `sections`: those of the rule set that say it; `about`: its topics, for what they cite (none: the concept itself).
    """

    concept: str
    sections: str
    words: Sequence[str]
    operand: str = ""
    before: Fraction | None = None
    after: Fraction | None = None
    change: Parties | None = None
    about: Sequence[str] = ()


@dataclass(frozen=True)
class ToldHand:
    """One hand under one rule set, and the language to tell it in.

    `changed`: by role, what its refused double, had it alone been allowed, would have changed of its score, in 1/10,000.
    """

    facts: Facts
    rules: RuleSet
    settled: Settled
    changed: tuple[int | None, ...]
    lang: str

    def say(self, key: str, **values: object) -> str:
        """A sentence of the catalogue."""
        return text(f"said.{key}", self.lang, **values)

    def assumed(self, concept: str) -> list[str]:
        """What the step rests on that the log does not say."""
        bits = int(self.settled.marks.assumed[0])
        codes = [code for code in _RESTS_ON[concept] if bits & BIT_OF[code]]
        return [self.say("assumed", what=term("assumption", code, self.lang)) for code in codes]

    def role(self, role: str) -> str:
        """What a role is called; without a landlord there are seats only."""
        if self.facts.known("landlord_seat")[0]:
            return term("role", role, self.lang)
        return self.say("seat", seat=ROLES.index(role))

    def amounts(self, by_role: Sequence[int]) -> str:
        """What each of the three has or pays, as part of a sentence."""
        told = [
            self.say("of_each", role=self.role(role), amount=decimal_text(amount))
            for role, amount in zip(ROLES, by_role, strict=True)
        ]
        return self.say("and").join(told)


def decimal_text(amount: int) -> str:
    """An amount in 1/10,000 as an exact decimal without needless zeros."""
    return exact_text(Fraction(amount, SCALE))


def exact_text(value: Fraction) -> str:
    """A number whose decimals come to an end, with all of them and no needless zeros."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    whole, part = divmod(abs(int(value * 10**places)), 10**places)
    return ("-" if value < 0 else "") + str(whole) + (f".{part:0{places}d}" if places else "")


def written(told: Told, parties: Parties, hand: ToldHand) -> WorkedStep:
    """A step as texts, with what each party has after it."""
    before, after = ("" if value is None else exact_text(value) for value in (told.before, told.after))
    nets = [decimal_text(int(party[0])) for party in parties]
    cited = citation(hand.rules, told.sections.split(), told.about or [told.concept])
    title, words = text(f"step.{told.concept}", hand.lang), hand.say("gap").join(told.words)
    return WorkedStep(told.concept, title, words, cited, told.operand, before, after, *nets)
