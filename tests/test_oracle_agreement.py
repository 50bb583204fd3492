"""The engine says what the oracle says, which was written from the rule pages alone: hand by hand, number by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from ddz_analytics.rules import load_rules, shipped_overlays, shipped_rules
from ddz_analytics.settlement.assumptions import CODES
from tests.agreement import disagreements_on_replay, engine_replay, oracle_replayed, oracle_rules, told
from tests.generated import RECORDED, UNKNOWN, hand, hands
from tests.generated_cards import AMBIGUOUS
from tests.occurrences import expected, occurrences
from tests.oracle.before_play import offers
from tests.oracle.rulesets import COMPLETE, OVERLAYS
from tests.settling import Settling, disagreements
from tests.specs import OVERLAID, REPLAYED_BY, UNUSUAL, VARIANTS

HANDS = 3350  # for each of six kinds of recorded rules
OFTEN = 50  # how often each set with several readings must have been played among them
SEED, MORE_SEEDS = 1, range(2, 7)

STATUSES = {
    "exact", "projected", "undefined", "void", "thrown_in", "unfinished", "escaped", "forced_landlord", "overflow",
    "not_representable",
}  # fmt: skip
# Assumptions that hands in this format never need: it can record autoplay, and no shipped rule set has other switches.
NEVER = {"autoplay", "autoplay_rules", "bombs_hard", "combinations", "room.fee"}
NOT_OFFERED = {"open_hand": "open", "doubles": "double", "kicks": "kick"}


def specs_for(recorded: str) -> list[str]:
    """Every rule set with every overlay, and the variants of the recorded one."""
    return OVERLAID + [spec for spec in VARIANTS if spec.startswith(f"{recorded}[")]


def settling_expected(recorded: str) -> set[str]:
    """The statuses, reasons and assumptions that must occur; what the recorded rules offer, or may offer, is never assumed away."""
    offered = {
        code
        for code, act in NOT_OFFERED.items()
        if recorded == UNKNOWN or offers(oracle_rules(recorded), act)
    }
    return STATUSES | set(CODES) - NEVER - offered


def check(recorded: str, seed: int, specs: Sequence[str]) -> None:
    """Replays and settles many hands both ways, and asks whether all that can occur did."""
    documents = hands(recorded, HANDS, seed)
    replayed, said = engine_replay(documents), [oracle_replayed(document) for document in documents]
    settling = Settling(documents, replayed.facts, said)
    found = disagreements_on_replay(documents, replayed, said) + settling.disagreements(specs)
    assert not found, told(found)
    occurred = Counter(
        each for document, row in zip(documents, said, strict=True) for each in occurrences(document, row)
    )
    assert sorted(expected(recorded) - occurred.keys()) == []
    assert [name for name in AMBIGUOUS if occurred[name] < OFTEN] == []
    assert sorted(settling_expected(recorded) - settling.seen) == []


@pytest.mark.parametrize("recorded", RECORDED)
def test_engine_and_oracle_agree(recorded: str) -> None:
    """Every fact, play, issue, episode and settlement of 3,350 hands is the oracle's, and every kind of hand is among them."""
    check(recorded, SEED, specs_for(recorded))


@pytest.mark.long
@pytest.mark.parametrize("seed", MORE_SEEDS)
@pytest.mark.parametrize("recorded", RECORDED)
def test_engine_and_oracle_agree_on_many_hands(recorded: str, seed: int) -> None:
    """The same holds for a hundred thousand hands, under every variant."""
    check(recorded, seed, OVERLAID + VARIANTS + UNUSUAL)


@pytest.mark.parametrize("spec", REPLAYED_BY)
def test_keys_that_act_at_replay_agree(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands recorded under a variant are replayed by its keys, as the oracle replays them."""
    monkeypatch.setattr("ddz_analytics.batches.batch.known_rules", load_rules)
    rng, base = Random(spec), spec.partition("[")[0]
    documents = [hand(rng, place, base) | {"rules": spec} for place in range(100)]
    found = disagreements(documents, [base, spec])
    assert not found, told(found)


@pytest.mark.parametrize("spec", UNUSUAL)
def test_keys_in_other_company_agree(spec: str) -> None:
    """Keys that no shipped rule set has together are settled as the oracle settles them."""
    rng, base = Random(spec), spec.partition("[")[0]
    documents = [hand(rng, place, recorded) for recorded in (base, UNKNOWN) for place in range(60)]
    found = disagreements(documents, [spec])
    assert not found, told(found)


def test_amounts_near_the_largest_agree() -> None:
    """A hand whose amounts no longer fit is undefined, one whose amounts just fit is scored to the last digit."""
    rng = Random(SEED)
    documents = hands("jj-classic", 400, SEED) + hands("happy", 400, SEED)
    for document in documents:
        worth = rng.choice([10**12, 7 * 10**12, "2999999999999.9999", 125 * 10**11])
        document["room"] = document.get("room", {}) | {"unit": worth, "rate": worth}
    said = [oracle_replayed(document) for document in documents]
    settling = Settling(documents, engine_replay(documents).facts, said)
    found = settling.disagreements(
        ["jj-bomb[events.bomb_reading=cumulative]", "happy", "jj-classic[cap.doublings=0]", "happy+cap-4"]
    )
    assert not found, told(found)
    assert {"overflow", "exact", "projected"} <= settling.seen


def test_the_oracle_knows_all_that_is_shipped() -> None:
    """Whatever rule set or overlay comes with the package is held against the oracle."""
    assert set(shipped_rules()) == set(COMPLETE)
    assert set(shipped_overlays()) == set(OVERLAYS)
    assert RECORDED[-1] == UNKNOWN
