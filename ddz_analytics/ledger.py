"""The projection ledger: which hands a rule set would score exactly, by which assumptions, or not at all, and why.

The lines stand in `ledger.toml`; hands come as profiles (`sql/info/profiles.sql`), each a combination of marks with the number of
hands that have it. Nothing is settled here. What only an amount decides (`overflow`, `not_representable`) no line foresees.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from ddz_analytics.parsers.base import Format
from ddz_analytics.rules import RuleSet, autoplay_bits, load_rules, switches_of
from ddz_analytics.rules.ruleset import neutral, value_of
from ddz_analytics.store.catalog import Connection, sql_text
from ddz_analytics.store.manifest import MappedFormat

_FILE = Path(__file__).with_name("ledger.toml")
Profile = Mapping[str, Any]


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """One way in which a hand may fall short of what a rule set needs; the fields are explained in `ledger.toml`."""

    code: str
    verdict: Literal["zeros", "undefined", "projected"]
    needs: dict[str, Annotated[list[Any], Meta(min_length=1)]] = {}
    any_of: list[str] = []
    hand: str = ""
    unless: list[str] = []
    differs: Literal["", "combination_switches", "autoplay_rules"] = ""
    says: str = ""
    given: str = ""
    fine: list[Literal["before_any_bid", "auction", "play"]] = []

    def concerns(self, rules: RuleSet) -> bool:
        """Whether the rule set needs what the line is about."""
        acts = not self.any_of or any(
            value_of(rules, key) != neutral(key, rules.events_combine) for key in self.any_of
        )
        return acts and all(value_of(rules, key) in values for key, values in self.needs.items())

    def holds(self, hand: Profile, rules: RuleSet) -> bool:
        """Whether a hand lacks it."""
        if self.differs:
            usual, wanted = _judged_by(RuleSet(id=""), self.differs), _judged_by(rules, self.differs)
            said = hand[self.differs]
            return bool((usual if said is None else said) != wanted)
        if self.unless:
            return bool(set(hand[self.hand]) - {value_of(rules, key) for key in self.unless})
        return bool(hand[self.hand])


class Verdict(NamedTuple):
    """What a hand comes to: exact, projected or undefined; the reason of zeros or of no score; the codes of what is assumed."""

    score_status: str
    reason: str | None = None
    assumptions: tuple[str, ...] = ()


@cache
def lines() -> tuple[Line, ...]:
    """The lines of the ledger, in order of precedence."""
    return msgspec.convert(tomllib.loads(_FILE.read_text("utf-8"))["line"], tuple[Line, ...])


def verdict(hand: Profile, rules: RuleSet) -> Verdict:
    """What the ledger says of hands of one profile under a rule set."""
    holding = [line for line in lines() if line.concerns(rules) and line.holds(hand, rules)]
    for line in holding:
        if line.verdict != "projected":
            return Verdict("exact" if line.verdict == "zeros" else "undefined", line.code)
    if hand["escaped"]:  # a fine, which rests on less than a score does
        holding = [line for line in holding if (hand["escape_stage"] or "auction") in line.fine]
    assumed = tuple(dict.fromkeys(line.code for line in holding))
    return Verdict("projected" if assumed else "exact", None, assumed)


def ledger(connection: Connection, rule_sets: Sequence[RuleSet]) -> list[dict[str, Any]]:
    """One entry per log format of the store and rule set: hands by status, and by assumption and by reason (most frequent first)."""
    profiles = connection.sql(sql_text("info/profiles")).to_arrow_table().to_pylist()
    found = []
    for source_format in sorted({profile["source_format"] for profile in profiles}):
        hands = [profile for profile in profiles if profile["source_format"] == source_format]
        found += [{"source_format": source_format, **_shares(hands, rules)} for rules in rule_sets]
    return found


def _shares(profiles: Sequence[Profile], rules: RuleSet) -> dict[str, Any]:
    statuses, assumptions, reasons = Counter[str](), Counter[str](), Counter[str]()
    for profile in profiles:
        found, hands = verdict(profile, rules), profile["hands"]
        statuses[found.score_status] += hands
        assumptions.update(dict.fromkeys(found.assumptions, hands))
        if found.reason:
            reasons[found.reason] += hands
    return {
        "rule_set": rules.id,
        **{status: statuses[status] for status in ("exact", "projected", "undefined")},
        "assumptions": dict(assumptions.most_common()),
        "reasons": dict(reasons.most_common()),
    }


def of_format(parser: Format | MappedFormat, rules: RuleSet) -> list[str]:
    """The codes that a rule set may rest on for hands of a format because the format cannot say what it needs.

    A format that names its rules can say more or less by them: then only what it can never say counts.
    """
    reference = load_rules(parser.reference_rules) if parser.reference_rules else None
    kind = (
        "none" if "auction" not in parser.records else None if reference is None else reference.auction_kind
    )

    def can_say(subject: str) -> bool:
        said, _, auction = subject.partition(":")
        return said in parser.records and (not auction or kind in (None, auction))

    lacking = [
        line.code
        for line in lines()
        if line.says
        and line.concerns(rules)
        and not can_say(line.says)
        and (not line.given or can_say(line.given))
    ]
    return list(dict.fromkeys(lacking))


def _judged_by(rules: RuleSet, column: str) -> int:
    """The keys of a rule set that act when hands are replayed, summed up as the facts have them."""
    if column == "autoplay_rules":
        return autoplay_bits(rules)
    return switches_of(rules).bits()
