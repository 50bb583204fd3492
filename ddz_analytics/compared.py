"""The tables of a comparison, each under its title."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ddz_analytics.errors import UsageError
from ddz_analytics.locale import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from ddz_analytics.comparison import Comparison
    from ddz_analytics.rescore import Scenario
    from ddz_analytics.rules import RuleSet
    from ddz_analytics.wanted import Tell

FEW = 9  # rule sets, the baseline among them, whose comparison is read in full; more are a sweep
RECONCILED = "recorded scores of the baseline against recomputed ones"


class Wanted(NamedTuple):
    """Over which hands rule sets are compared, with which balances, what is asked beside the usual tables, in which words.

    `numbers`: whether those of docs/metrics.md are wanted too.
    """

    balances: Scenario = "recorded"
    where: str | None = None
    by: tuple[str, ...] = ()
    worst: int = 1
    advance: int | None = None
    lang: str = "en"
    numbers: bool = False


def to_score(chosen: list[RuleSet], wanted: Wanted, *, varied: bool) -> list[RuleSet]:
    """The rule sets whose scores a comparison reads: all, or the baseline alone when many are `varied` settings, which are swept.

    Raises UsageError `too_many_variants`.
    """
    if not is_sweep(chosen, varied=varied):
        return chosen
    refuse_in_a_sweep(len(chosen) - 1, wanted)
    return chosen[:1]


def is_sweep(chosen: list[RuleSet], *, varied: bool) -> bool:
    """Whether rule sets, the baseline among them, are so many `varied` settings that they are counted and not stored."""
    return varied and len(chosen) > FEW


def tables_of(
    store: Path, chosen: list[RuleSet], wanted: Wanted, tell: Tell, *, varied: bool
) -> tuple[dict[str, pa.Table], pa.Table | None]:
    """The tables of a comparison by their titles, and its numbers, once what `to_score` names is scored.

    The baseline comes first in `chosen`.
    """
    from ddz_analytics.metrics import metrics

    if is_sweep(chosen, varied=varied):
        return swept_tables(store, chosen, wanted.where, tell), None
    with compared(store, chosen, wanted) as found:
        tables = comparison_tables(store, chosen, wanted, found, tell)
        return tables, metrics(found) if wanted.numbers else None


def refuse_in_a_sweep(variants: int, wanted: Wanted) -> None:
    """Raise UsageError `too_many_variants` for a grid that is asked for more than a row for each variant."""
    reasons = {
        "chained balances tell all hands apart": wanted.balances == "chained",
        "--by groups single hands": bool(wanted.by),
        "--fail-if looks at single hands": wanted.numbers,
    }
    for why in (why for why, asked in reasons.items() if asked):
        what = f"{variants} variants are counted on hands that look alike, and {why}"
        raise UsageError("too_many_variants", what, mend=f"name at most {FEW - 1} of them")


def swept_tables(store: Path, chosen: list[RuleSet], where: str | None, tell: Tell) -> dict[str, pa.Table]:
    """One row for each rule set of a large grid, settled on distinct facts; the baseline alone is stored, to be reconciled."""
    from ddz_analytics.choosing import chosen_hands
    from ddz_analytics.comparison import compare as set_against
    from ddz_analytics.store.catalog import connect
    from ddz_analytics.sweep import facts_of, sweep

    base, *others = chosen
    tell(said("compare.variants", number=len(others)))
    with connect(store) as connection:
        recorded = set_against(connection, base.id, []).reconciliation()
        hands = chosen_hands(connection, where)
    return {"overview": sweep(facts_of(store, hands), base, others), RECONCILED: recorded}


@contextmanager
def compared(store: Path, chosen: list[RuleSet], wanted: Wanted) -> Iterator[Comparison]:
    """The comparison of some rule sets, the first being the baseline."""
    from ddz_analytics.comparison import compare as set_against
    from ddz_analytics.comparison import memory_for
    from ddz_analytics.store.catalog import connect

    base, *others = (rules.id for rules in chosen)
    with connect(store, memory_for(store)) as connection:
        yield set_against(connection, base, others, wanted.balances, wanted.where, wanted.advance)


def comparison_tables(
    store: Path, chosen: list[RuleSet], wanted: Wanted, found: Comparison, tell: Tell
) -> dict[str, pa.Table]:
    """Every table of a comparison by its title."""
    from ddz_analytics.comparison import rule_differences

    base, *others = chosen
    # first, while nothing else takes memory, all of which it gives back
    shares = contributions(store, chosen, found, tell)
    return {
        "overview": found.overview(),
        RECONCILED: found.reconciliation(),
        "what changes, and what moves before and after": found.changed(),
        "what differs from the baseline": rule_differences(base, others),
        "who gains and who loses, in stakes of the baseline": found.bands(),
        "difference to the baseline by role": found.roles(),
        "how sure the mean difference is: 95 % interval, empty where too few hands or clusters differ": found.intervals(),
        "by how much the landlord's win rate would have to move to cancel the difference": found.break_even(),
        **{f"by {column}": found.groups(column) for column in wanted.by},
        **shares,
        "how scores spread, in steps of doubling": found.distribution(),
        "multipliers": found.multipliers(),
        "what the last doubling was worth, by how many there were before a cap": found.caps(),
        **laboratory(found),
        "house": found.house(),
        "what winners win and the house takes, by local day": found.days(),
        "how unequal stakes and balances are (Gini)": found.gini(),
        **orders(found),
        "exact, projected, undefined": found.statuses(),
        "assumptions": found.assumptions(),
        "most different hands": (most := found.worst(wanted.worst)),
        "how those hands are settled, step by step": worked_steps(found, most, chosen, wanted.lang),
    }


def contributions(store: Path, chosen: list[RuleSet], found: Comparison, tell: Tell) -> dict[str, pa.Table]:
    """What each differing parameter contributes, by other rule set; nothing where balances are chained, which no share can be."""
    import pyarrow as pa

    from ddz_analytics.attribution import attributions
    from ddz_analytics.choosing import chosen_hands
    from ddz_analytics.sweep import facts_of

    if found.scenario == "chained":
        return {}
    base, *others = chosen
    read = facts_of(store, chosen_hands(found.connection, found.where))
    table, left_out = attributions(read, base, others)
    pa.default_memory_pool().release_unused()
    if left_out:
        tell(said("compare.too_many", names=", ".join(left_out)))
    return {"what each parameter contributes to the difference": table}


def orders(found: Comparison) -> dict[str, pa.Table]:
    """How the order of each match moves; nothing over chosen hands, which make no standings."""
    if found.where is not None:
        return {}
    return {
        "standings of each match against the baseline": found.standings(),
        "players who move furthest, those who cross the cut first": found.moves(10),
    }


def laboratory(found: Comparison) -> dict[str, pa.Table]:
    """What rule sets make of autoplay, doubles and balances, side by side over the hands that all of them score."""
    return {
        "how often a peasant is on autoplay at the end, and what answering for it moves": found.liability(),
        "what peasants get: on autoplay, their partners, both on it, came back from it, others": found.autoplay_seats(),
        "what they lose on average in lost hands, with the 95 % interval": found.autoplay_losses(),
        "the same by how many cards were left when autoplay began": found.autoplay_starts(),
        "what seats that answer for autoplay cannot pay": found.shortfalls(),
        "who pays whom, and why": found.flows(),
        "doubles and entries that balances refuse": found.refusals(),
        "payments that balances cut, and players ruined": found.balances(),
    }


def worked_steps(found: Comparison, most: pa.Table, chosen: list[RuleSet], lang: str) -> pa.Table:
    """Both settlements of the most different hands, each step with what every party has after it."""
    import pyarrow as pa

    from ddz_analytics.comparison import one_by_one
    from ddz_analytics.explain import worked

    base = chosen[0]
    by_id = {rules.id: rules for rules in chosen}
    pairs = list(zip(most["hand_id"].to_pylist(), most["rule_set"].to_pylist(), strict=True))
    facts = one_by_one(found.facts([hand for hand, _ in pairs]))
    wanted = dict.fromkeys((hand, rules) for hand, other in pairs for rules in (base.id, other))
    rows = [
        {"hand_id": hand, "rule_set": name}
        | {
            field: getattr(step, field)
            for field in ("title", "words", "landlord", "down", "up", "house", "citation")
        }
        for hand, name in sorted(wanted)
        for step in worked(facts[name, hand], by_id[name], lang)
    ]
    return pa.Table.from_pylist(rows)
