"""Engine and oracle side by side: how each settles the same hands, in one shape, and where the two disagree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import from_amounts, ints
from ddz_analytics.rules import load_rules
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.assumptions import CODES
from ddz_analytics.settlement.settle import settle
from tests.agreement import (
    Disagreement,
    disagreements_on_replay,
    engine_replay,
    oracle_replayed,
    oracle_rules,
)
from tests.oracle.names import Document, Row, Rules
from tests.oracle.settle import settle as oracle_settle

COMPONENTS = ("transfer", "liability", "balance_cut", "fee", "rake", "fine")
OF_A_STAKE = (
    "cap_amount", "stake_down", "stake_up", "auction_multiplier", "event_multiplier", "doublings_uncapped", "doublings",
    "cap_bites", "pair_multiplier_down", "pair_multiplier_up",
)  # fmt: skip
AMOUNTS = (
    "unit", "bid", "cap_amount", "stake_down", "stake_up", "house_rake", "house_fee", "house_forfeit", "house_fine", "house_net",
    *(f"{component}_{role}" for role in ROLES for component in (*COMPONENTS, "net")),
    *(f"double_change_{role}" for role in ROLES),
)  # fmt: skip
COUNTS = (
    "auction_multiplier", "event_multiplier", "doublings_uncapped", "doublings", "cap_bites", "pair_multiplier_down",
    "pair_multiplier_up", *(f"liable_{role}" for role in ROLES),
)  # fmt: skip
TEXTS = ("score_status", "reason", *(f"double_refused_{role}" for role in ROLES))
NAMES = (*AMOUNTS, *COUNTS, *TEXTS, "assumed")
_BID = NAMES.index("bid")
NOTHING = -(2**63)  # stands for null among whole numbers
Answers = dict[str, list[tuple[Any, ...]]]  # the settlements of some hands by rule set


def engine_settlements(facts: pa.Table, spec: str) -> list[list[Any]]:
    """The columns `NAMES` of the engine's settlements under one rule set; amounts in 1/10,000, `NOTHING` for null."""
    return columns_of(settle(facts, load_rules(spec)))


def columns_of(settlements: pa.Table) -> list[list[Any]]:
    """The columns `NAMES` of some settlements; amounts in 1/10,000, `NOTHING` for null."""
    amounts = [
        np.where(ints(settlements[name].is_valid()) == 1, from_amounts(settlements[name]), NOTHING)
        for name in AMOUNTS
    ]
    counts = [ints(settlements[name], missing=NOTHING) for name in COUNTS]
    texts = [settlements[name].to_pylist() for name in TEXTS]
    numbers = (column.tolist() for column in (*amounts, *counts))
    return [*numbers, *texts, ints(settlements["assumed"]).tolist()]


def oracle_settlement(document: Document, replayed: Row, rules: Rules) -> tuple[Any, ...]:
    """The oracle's settlement of one hand, in the order of `NAMES`."""
    return in_order_of_names(document, oracle_settle(document, replayed, rules))


def in_order_of_names(document: Document, settled: Row) -> tuple[Any, ...]:
    """What the oracle settled of one hand, in the order of `NAMES`."""
    said = dict(settled)
    said["bid"] = None if said["bid"] is None else said["bid"] * 10_000
    for role in ROLES:
        said[f"liable_{role}"] = said["liable"][role]
        said[f"net_{role}"] = said[role]["score"]
        for component in COMPONENTS:
            said[f"{component}_{role}"] = said[role][component]
    refused = {row["seat"]: row for row in said["refusal_rows"] if row["what"] == "double"}
    for place, role in enumerate(ROLES):
        row = refused.get(((document["landlord"] or 0) + place) % 3, {})
        change = row.get("would_change")
        said[f"double_refused_{role}"] = row.get("reason")
        said[f"double_change_{role}"] = None if change is None else change * 10_000
    numbers = [NOTHING if said[name] is None else said[name] for name in (*AMOUNTS, *COUNTS)]
    return (
        *numbers,
        *(said[name] for name in TEXTS),
        sum(1 << CODES.index(code) for code in said["assumptions"]),
    )


def oracle_settlements(
    documents: Sequence[Document], said: Sequence[Row], rules: Rules
) -> list[tuple[Any, ...]]:
    """The oracle's settlements of some hands."""
    hands = zip(documents, said, strict=True)
    return [oracle_settlement(document, replayed, rules) for document, replayed in hands]


def words_of(document: Document, engine: tuple[Any, ...], oracle: tuple[Any, ...]) -> str:
    """Where two settlements of one hand (in the order of `NAMES`) differ, in words."""
    if engine == oracle:
        return ""
    # Where nothing was bid nothing multiplies a fine: the engine says so with 1 and 0, the oracle leaves it empty.
    silent = OF_A_STAKE if document["outcome"] == "escaped" and oracle[_BID] == NOTHING else ()
    return "; ".join(
        f"{name}: engine {one} oracle {two}"
        for name, one, two in zip(NAMES, engine, oracle, strict=True)
        if one != two and name not in silent
    )


class Settling:
    """Some hands, replayed by both, to be settled by both under some rule sets."""

    def __init__(
        self, documents: Sequence[Document], facts: pa.Table, said: Sequence[Row], specs: Iterable[str]
    ) -> None:
        self.documents, self.facts, self.said, self.specs = documents, facts, said, specs
        self.seen: set[str] = set()  # statuses, reasons and assumptions that the engine gave
        self.cut: list[bool] = []  # of every hand played under minimised rules: whether a balance cut it
        self.answers: Answers = {}  # of the oracle, as far as they are known already

    def disagreements(self) -> list[Disagreement]:
        """The hands that the two settle in different ways under some rule set."""
        alike: dict[str, list[str]] = {}  # an overlay may change nothing
        for spec in self.specs:
            alike.setdefault(repr(oracle_rules(spec)), []).append(spec)
        return [found for group in alike.values() for found in self._under(group)]

    def _under(self, specs: list[str]) -> list[Disagreement]:
        """Under rule sets that say the same."""
        rules = oracle_rules(specs[0])
        oracle = self.answers.get(specs[0]) or oracle_settlements(self.documents, self.said, rules)
        found = []
        for spec in specs:
            columns = engine_settlements(self.facts, spec)
            self._note(dict(zip(NAMES, columns, strict=True)), minimised=rules["balance.minimised"])
            rows = zip(self.documents, zip(*columns, strict=True), oracle, strict=True)
            for document, mine, other in rows:
                words = words_of(document, mine, other)
                found += [Disagreement(document, f"{spec}: {words}")] if words else []
        return found

    def _note(self, columns: dict[str, list[Any]], *, minimised: bool) -> None:
        self.seen |= {*columns["score_status"], *filter(None, columns["reason"])}
        for bits in set(columns["assumed"]):
            self.seen |= {code for place, code in enumerate(CODES) if bits >> place & 1}
        cuts = zip(*(columns[f"balance_cut_{role}"] for role in ROLES), strict=True)
        for transfer, cut in zip(columns["transfer_landlord"], cuts, strict=True) if minimised else ():
            if transfer not in (NOTHING, 0):
                self.cut.append(any(cut))


def disagreements(documents: Sequence[Document], specs: Iterable[str]) -> list[Disagreement]:
    """The hands on which engine and oracle differ in replay, or in settling under any of some rule sets."""
    replayed, said = engine_replay(documents), [oracle_replayed(document) for document in documents]
    settling = Settling(documents, replayed.facts, said, specs)
    return disagreements_on_replay(documents, replayed, said) + settling.disagreements()
