"""Where a step of a hand comes from whose facts were declared: the columns of its row, in place of acts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from ddz_analytics.explain.hand import PEASANTS
from ddz_analytics.explain.record import Record
from ddz_analytics.locale import text
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import ROLES

_OF_REASON = {
    "void": ("outcome",),
    "faulty": ("replay_status",),
    "unfinished": ("outcome",),
    "escaped": ("outcome", "escaped_seat", "escape_stage"),
    "thrown_in": ("outcome", "nobody_bid"),
    "needs_wild": ("needs_wild",),
    "forced_landlord": ("nobody_bid", "landlord_seat", "first_seat", "first_opener_seat"),
}
_OF_EVENTS = {
    "bombs": ("bombs",),
    "soft": ("soft_bombs",),
    "pure": ("pure_bombs",),
    "rockets": ("rockets",),
    "transfer": ("winner_seat", "winner_side"),
    "fine": ("escaped_seat", "escape_stage"),
    "fee": ("room_fee",),
    "fee_apart": ("room_fee",),
    "balance_cut": tuple(f"{role}_balance" for role in ROLES),
    "bid_again": ("bid",),
    "opening": tuple(f"{role}_open_{what}" for role in ROLES for what in ("stage", "value", "dealt")),
}


def columns_behind(concept: str, reason: str | None, record: Record, rules: RuleSet) -> list[str]:
    """The columns on which a step rests that say something; `concept` and `reason` as in `moments`."""
    fact = record.fact
    names = _OF_REASON.get(reason, ()) if reason is not None else _columns(concept, fact, rules)
    return [name for name in names if fact[name] is not None]


def told_columns(names: Sequence[str], record: Record, lang: str) -> Iterator[str]:
    """Each column with its value, and the file and line that say it."""
    where = f"{record.head['source_path']}:{record.head['source_line']}"
    for name in names:
        yield text("moment.column", lang, where=where, column=name, value=_shown(record.fact[name]))


def _columns(concept: str, fact: dict[str, Any], rules: RuleSet) -> Sequence[str]:
    if concept == "unit":
        return () if rules.stake_unit == 1 else (str(rules.stake_unit).replace(".", "_"),)
    if concept == "bid":
        return ("nobody_bid",) if fact["nobody_bid"] else ("auction_kind", "bid", "robs")
    if concept == "robs":
        return ("robs",) if fact["auction_kind"] == "rob" else ("raises",)
    if concept == "hard":
        return ("bombs",) if fact["wild_rank"] is None else ("hard_bombs",)
    if concept in ("spring", "anti_spring"):
        counted = ("down_plays", "up_plays") if concept == "spring" else ("landlord_plays",)
        return counted if fact["spring"] is None else ("spring",)
    if concept == "liability":
        flag, cards = (
            ("autoplay", "cards") if rules.liability_status == "at_end" else ("autoplay_ever", "most_cards")
        )
        return [f"{role}_{name}" for role in PEASANTS for name in (flag, f"autoplay_{cards}")]
    if concept.startswith("pair_"):
        return _of_a_pair(concept.removeprefix("pair_"), rules)
    return _OF_EVENTS.get(concept, ())


def _of_a_pair(role: str, rules: RuleSet) -> list[str]:
    doubles = ["landlord_doubled", f"{role}_doubled"] if rules.double_factor != 1 else []
    kicks = [f"{role}_kicked", f"{role}_could_kick"] if rules.kick_factor != 1 else []
    return [*doubles, *kicks]


def _shown(value: object) -> str:
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return str(value).lower() if isinstance(value, bool) else str(value)
