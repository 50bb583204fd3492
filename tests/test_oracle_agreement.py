"""The engine says what the oracle says, which was written from the rule pages alone: hand by hand, number by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa
import pytest

from ddz_analytics.rules import shipped_overlays, shipped_rules
from ddz_analytics.settlement.assumptions import CODES
from tests.agreement import (
    Disagreement,
    disagreements_on_replay,
    engine_replay,
    oracle_replayed,
    oracle_rules,
    told,
)
from tests.generated import RECORDED, UNKNOWN, hands
from tests.generated_cards import AMBIGUOUS
from tests.occurrences import expected, occurrences
from tests.oracle.before_play import offers
from tests.oracle.names import Document, Row
from tests.oracle.rulesets import COMPLETE, OVERLAYS
from tests.settling import Settling
from tests.specs import OVERLAID, UNUSUAL, VARIANTS

HANDS, MANY_HANDS = 1850, 3350  # for each of eleven kinds of recorded rules
OFTEN, MORE_OFTEN = (
    10,
    50,
)  # how often each natural set with several readings must have been played among them
RARE = "from the last card"  # autoplay that begins so late need not occur in every way among fewer hands
CUT = 0.2  # of the hands scored under minimised rules a balance cuts at least so many
SEED, MORE_SEEDS = 1, range(2, 5)
TURNS = 16  # rule sets other than their own are put to every sixteenth hand in turn

STATUSES = {
    "exact", "projected", "undefined", "void", "thrown_in", "unfinished", "escaped", "forced_landlord", "overflow",
    "not_representable", "no_balances",
}  # fmt: skip
# Assumptions that hands in this format never need: it can record autoplay, and no shipped rule set has other switches.
NEVER = {"autoplay", "autoplay_rules", "combinations"}
NOT_OFFERED = {"open_hand": "open", "doubles": "double", "kicks": "kick"}


class Both(NamedTuple):
    """Some hands, and what engine and oracle found out of them."""

    documents: list[Document]
    facts: pa.Table
    said: list[Row]


def own_specs(recorded: str) -> list[str]:
    """The recorded rule set, or those of hands that name none, alone and with minimised payments."""
    names = COMPLETE if recorded == UNKNOWN else [recorded]
    return [spec for name in names for spec in (name, f"{name}+minimised")]


def settling_expected(recorded: str) -> set[str]:
    """The statuses, reasons and assumptions that must occur; what the recorded rules offer, or may offer, is never assumed away.

    Where nothing was bid nobody asks for the room's high bid.
    """
    offered = (
        {"room.high"} if recorded != UNKNOWN and oracle_rules(recorded)["auction.kind"] == "none" else set()
    )
    offered |= {
        code
        for code, act in NOT_OFFERED.items()
        if recorded == UNKNOWN or offers(oracle_rules(recorded), act)
    }
    return STATUSES | set(CODES) - NEVER - offered


def settled(both: Both, own: Sequence[str], others: Sequence[str], turns: int) -> list[Settling]:
    """Every hand to be settled under some rule sets, and under some others in turn."""
    found = [Settling(*both, own)]
    for turn in range(turns):
        some = range(turn, len(both.documents), turns)
        documents, said = ([rows[place] for place in some] for rows in (both.documents, both.said))
        found.append(Settling(documents, both.facts.take(pa.array(some)), said, others[turn::turns]))
    return found


def check(recorded: str, seed: int, number: int, turns: int) -> tuple[Both, list[Settling]]:
    """Replays and settles hands both ways: they must agree in everything."""
    documents = hands(recorded, number, seed)
    replayed, said = engine_replay(documents), [oracle_replayed(document) for document in documents]
    both, own = Both(documents, replayed.facts, said), own_specs(recorded)
    others = [spec for spec in OVERLAID + VARIANTS + UNUSUAL if spec not in own]
    settlings = settled(both, own, others, turns)
    found: list[Disagreement] = disagreements_on_replay(documents, replayed, said)
    found += [each for settling in settlings for each in settling.disagreements()]
    assert not found, told(found)
    return both, settlings


def check_that_everything_occurs(
    recorded: str, checked: Sequence[tuple[Both, list[Settling]]], often: int
) -> None:
    """Asks whether all that can occur among hands, and in their settling, did."""
    rows = [row for both, _ in checked for row in zip(both.documents, both.said, strict=True)]
    occurred = Counter(each for document, row in rows for each in occurrences(document, row))
    missing = expected(recorded) - occurred.keys()
    assert sorted(name for name in missing if often == MORE_OFTEN or RARE not in name) == []
    natural = recorded == UNKNOWN or not oracle_rules(recorded)["wild.enabled"]
    assert [name for name in AMBIGUOUS if natural and occurred[name] < often] == []
    seen = {word for _, settlings in checked for settling in settlings for word in settling.seen}
    assert sorted(settling_expected(recorded) - seen) == []


@pytest.mark.parametrize("recorded", RECORDED)
def test_engine_and_oracle_agree(recorded: str) -> None:
    """Every fact, play, issue, episode and settlement of twenty thousand hands of every kind is the oracle's."""
    both, settlings = check(recorded, SEED, HANDS, TURNS)
    check_that_everything_occurs(recorded, [(both, settlings)], OFTEN)
    cut = [each for settling in settlings for each in settling.cut]
    assert sum(cut) > CUT * len(cut)


@pytest.mark.long
@pytest.mark.parametrize("recorded", RECORDED)
def test_engine_and_oracle_agree_on_many_hands(recorded: str) -> None:
    """The same holds for a hundred thousand hands, and every kind of hand is among them."""
    checked = [check(recorded, seed, MANY_HANDS, TURNS) for seed in MORE_SEEDS]
    check_that_everything_occurs(recorded, checked, MORE_OFTEN)


def test_the_oracle_knows_all_that_is_shipped() -> None:
    """Whatever rule set or overlay comes with the package is held against the oracle."""
    assert set(shipped_rules()) == set(COMPLETE)
    assert set(shipped_overlays()) == set(OVERLAYS)
    assert RECORDED[-1] == UNKNOWN
