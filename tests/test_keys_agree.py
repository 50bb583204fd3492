"""Keys that no shipped rule set sets, or not together: engine and oracle agree under them too."""

from __future__ import annotations

from functools import cache
from itertools import chain, islice
from random import Random

import pyarrow as pa
import pytest

from ddz_analytics.rules import load_rules
from tests.agreement import engine_replay, oracle_replayed, oracle_rules, told
from tests.generated import RECORDED, hand, hands
from tests.generated_cards import gifts, switched_sets
from tests.oracle.names import Document, Row
from tests.oracle.replay import replay as oracle_replay
from tests.settling import Settling, disagreements, oracle_settlement
from tests.specs import REPLAYED_BY, SWITCHED, UNUSUAL, VARIANTS

SEED = 1
EACH, MOST = (
    120,
    1000,
)  # hands of each kind of recorded rules; so many until one shows that a key makes a difference


@cache
def replayed_hands() -> tuple[list[Document], pa.Table, list[Row]]:
    """Hands of all kinds, with the engine's facts and the oracle's."""
    rng = Random(SEED)
    documents = [hand(rng, place, recorded) for recorded in RECORDED for place in range(EACH)]
    return documents, engine_replay(documents).facts, [oracle_replayed(document) for document in documents]


def base_of(spec: str) -> str:
    """The shipped rule set that a spec varies."""
    return spec.partition("[")[0]


def outcome(document: Document, rules: str) -> Row:
    """What comes of a hand if it was recorded under some rules; these themselves left out."""
    said = oracle_replay(document, oracle_rules(rules))
    settling = {key: value for key, value in said["for_settling"].items() if key != "recorded_rules"}
    return said | {"for_settling": settling}


@pytest.mark.parametrize("spec", REPLAYED_BY + SWITCHED)
def test_keys_that_act_at_replay_agree(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands recorded under a variant are replayed by its keys, as the oracle replays them; the keys make a difference."""
    monkeypatch.setattr("ddz_analytics.batches.batch.known_rules", load_rules)
    rng, base = Random(spec), base_of(spec)
    sets = switched_sets(spec.partition("combination.")[2].partition("=")[0]) if spec in SWITCHED else gifts
    endless = (
        hand(rng, place, played, sets) | {"rules": spec} for place in range(MOST) for played in (base, spec)
    )
    documents = list(islice(endless, EACH))
    rare = next(each for each in chain(documents, endless) if outcome(each, base) != outcome(each, spec))
    found = disagreements([*documents, rare], [base, spec])
    assert not found, told(found)


def are_settled_differently(spec: str) -> bool:
    """Whether a variant settles some hand in another way than the rule set that it varies."""
    one, other = oracle_rules(base_of(spec)), oracle_rules(spec)
    documents, _, said = replayed_hands()
    return any(
        oracle_settlement(document, row, one) != oracle_settlement(document, row, other)
        for document, row in zip(documents, said, strict=True)
    )


@pytest.mark.parametrize("spec", VARIANTS + UNUSUAL)
def test_keys_in_other_company_agree(spec: str) -> None:
    """Keys that no shipped rule set has, or not together, are settled as the oracle settles them; they make a difference."""
    found = Settling(*replayed_hands(), [spec]).disagreements()
    assert not found, told(found)
    assert are_settled_differently(spec)


def test_amounts_near_the_largest_agree() -> None:
    """A hand whose amounts no longer fit is undefined, one whose amounts just fit is scored to the last digit."""
    rng = Random(SEED)
    documents = hands("jj-classic", 400, SEED) + hands("happy", 400, SEED)
    for document in documents:
        worth = rng.choice([10**12, 7 * 10**12, "2999999999999.9999", 125 * 10**11])
        document["room"] = document.get("room", {}) | {"unit": worth, "rate": worth}
    said = [oracle_replayed(document) for document in documents]
    specs = ["jj-bomb[events.bomb_reading=cumulative]", "happy", "jj-classic[cap.doublings=0]", "happy+cap-4"]
    settling = Settling(documents, engine_replay(documents).facts, said, specs)
    found = settling.disagreements()
    assert not found, told(found)
    assert {"overflow", "exact", "projected"} <= settling.seen
