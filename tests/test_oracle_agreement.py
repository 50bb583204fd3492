"""The engine says what the oracle says, which was written from the rule pages alone: hand by hand, number by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random

import pyarrow as pa
import pytest

from ddz_analytics.rules import load_rules, shipped_overlays, shipped_rules
from ddz_analytics.settlement.assumptions import CODES
from tests import agreement
from tests.agreement import Disagreement, engine_replay, oracle_replayed, told
from tests.generated import RECORDED, UNKNOWN, hand, hands
from tests.generated_cards import AMBIGUOUS
from tests.occurrences import expected, occurrences
from tests.oracle.names import Document, Row
from tests.oracle.rulesets import COMPLETE, OVERLAYS
from tests.remembered import Remembered

HANDS, MANY_HANDS = 3600, 17_000  # for each of six kinds of recorded rules
OFTEN = 50  # how often each set with several readings must have been played
SEED = 1

OVERLAID = [name + overlays for name in COMPLETE for overlays in ("", "+cap-4", "+no-liability", "+cap-4+no-liability")]
VARIANTS = [
    "jj-bomb[events.bomb_reading=cumulative]",
    "jj-bomb[events.bomb_counts_rocket=true]",
    "jj-bomb[events.bomb_reading=cumulative,events.bomb_counts_rocket=true]",
    "jj-classic[liability.both_winning=normal]",
    "jj-classic[liability.both_winning=landlord_keeps]",
    "jj-classic[liability.status=any_time]",
    "jj-classic[liability.exempt_measured=at_end]",
    "jj-classic[liability.exempt_cards=0]",
    "jj-classic[liability.exempt_cards=3,liability.status=any_time]",
    "casino-capped[cap.after_pairs=true]",
    "happy[cap.after_pairs=true,cap.doublings=3]",
    "casino-capped[house.rake_rounding=floor]",
    "casino-capped[kick.rob_eligibility=not_yet_spoken]",
    "happy[double.super=true]",
    "casino-capped[stake.multiplier_starts_at=bid]",
    "qq-classic[stake.multiplier_starts_at=bid]",
    *(f"qq-classic[cap.doublings={most}]" for most in range(7)),
]
# Keys that act at replay: hands recorded under a variant of a shipped rule set.
REPLAYED_BY = [
    "casino-capped[kick.rob_eligibility=not_yet_spoken]",
    "happy[double.super=true]",
    "happy[auction.rob_back=never]",
    "jj-classic[autoplay.manual_act_ends=false]",
    "jj-classic[autoplay.auto_act_starts=false]",
    "jj-classic[autoplay.reconnect_ends=true]",
    "jj-classic[autoplay.last_card_follow=false]",
    "qq-classic[combination.kicker_may_match_core=true]",
    "qq-classic[combination.both_jokers_as_two_singles=false]",
    "qq-classic[combination.quad_as_single_wings=false]",
    "qq-classic[combination.same_rank_pairs=false]",
    "qq-classic[combination.adjacent_triple_as_wings=false]",
    "qq-classic[combination.repeated_rank_singles=false]",
    "qq-classic[combination.four_two_mixed=true]",
]
REASONS = {"void", "unfinished", "escaped", "overflow", "not_representable"}
# Assumptions that hands in this format never need: it can record autoplay, and no shipped rule set has other switches.
NEVER = {"autoplay", "autoplay_rules", "bombs_hard", "combinations", "room.fee"}


def specs_for(place: int) -> list[str]:
    """Every overlay, and every third variant: each meets the hands of two of the six kinds."""
    return OVERLAID + VARIANTS[place % 3 :: 3]


def settled(
    documents: Sequence[Document], facts: pa.Table, said: Sequence[Row], specs: Sequence[str]
) -> tuple[list[Disagreement], Counter[str]]:
    """The disagreements under some rule sets, and how often each status, reason and assumption came."""
    found: list[Disagreement] = []
    seen: Counter[str] = Counter()
    for spec in specs:
        found += agreement.disagreements_on_settling(documents, facts, said, spec)
        columns = agreement.settlement_columns(facts, spec)
        seen.update(columns["score_status"])
        seen.update(filter(None, columns["reason"]))
        for bits, number in Counter(columns["assumed"]).items():
            seen.update({code: number for bit, code in enumerate(CODES) if bits >> bit & 1})
    return found, seen


def check(recorded: str, number: int, specs: Sequence[str]) -> None:
    """Replays and settles so many hands both ways, and asks whether all that can occur did."""
    documents = hands(recorded, number, SEED)
    replayed, said = engine_replay(documents), [oracle_replayed(document) for document in documents]
    found = agreement.disagreements_on_replay(documents, replayed, said)
    settling, seen = settled(documents, replayed.facts, said, specs)
    assert not found + settling, told(found + settling)
    occurred = Counter(each for document, row in zip(documents, said, strict=True) for each in occurrences(document, row))
    assert sorted(expected(recorded) - occurred.keys()) == []
    assert [name for name in AMBIGUOUS if occurred[name] < OFTEN] == []
    assert sorted((REASONS | set(CODES) | {"exact", "projected"}) - NEVER - seen.keys()) == []


@pytest.mark.parametrize("recorded", RECORDED)
def test_engine_and_oracle_agree(recorded: str) -> None:
    """Every fact, play, issue, episode and settlement of 3,600 hands is the oracle's, and every kind of hand is among them."""
    check(recorded, HANDS, specs_for(RECORDED.index(recorded)))


@pytest.mark.long
@pytest.mark.parametrize("recorded", RECORDED)
def test_engine_and_oracle_agree_on_many_hands(recorded: str) -> None:
    """The same holds for a hundred thousand hands, under every variant."""
    check(recorded, MANY_HANDS, OVERLAID + VARIANTS)


@pytest.mark.parametrize("spec", REPLAYED_BY)
def test_keys_that_act_at_replay_agree(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands recorded under a variant are replayed by its keys, as the oracle replays them."""
    monkeypatch.setattr("ddz_analytics.batches.batch.known_rules", load_rules)
    rng, base = Random(spec), spec.partition("[")[0]
    documents = [hand(rng, place, base) | {"rules": spec} for place in range(300)]
    found = agreement.disagreements(documents, [base, spec])
    assert not found, told(found)


def test_the_oracle_knows_all_that_is_shipped() -> None:
    """Whatever rule set or overlay comes with the package is held against the oracle."""
    assert set(shipped_rules()) == set(COMPLETE)
    assert set(shipped_overlays()) == set(OVERLAYS)
    assert RECORDED[-1] == UNKNOWN


def test_asking_once_changes_no_answer() -> None:
    """What the oracle is remembered to have said of hands that look alike is what it says of each of them."""
    documents = hands("happy", 200, SEED + 1) + hands("jj-classic", 200, SEED + 1)
    said = [oracle_replayed(document) for document in documents]
    for spec in ("happy", "jj-bomb[liability.status=any_time]", "casino-capped"):
        rules = agreement.oracle_rules(spec)
        remembered = Remembered(partial(agreement.settlement_row, rules=rules))
        for document, row in zip(documents, said, strict=True):
            given = {"document": document, "said": row}
            assert remembered.results[remembered(given)] == agreement.settlement_row(given, rules)
        assert len(remembered.results) < len(documents)
