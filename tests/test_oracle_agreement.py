"""The engine says what the oracle says, which was written from the rule pages alone: hand by hand, number by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from ddz_analytics.rules import load_rules, shipped_overlays, shipped_rules
from ddz_analytics.settlement.assumptions import CODES
from tests import agreement
from tests.agreement import Disagreement, Settling, engine_replay, oracle_replayed, settlement_columns, told
from tests.generated import RECORDED, UNKNOWN, hand, hands
from tests.generated_cards import AMBIGUOUS
from tests.occurrences import expected, occurrences
from tests.oracle.before_play import offers
from tests.oracle.rulesets import COMPLETE, OVERLAYS

HANDS, MANY_HANDS = 3400, 17_000  # for each of six kinds of recorded rules
OFTEN = 50  # how often each set with several readings must have been played
SEED = 1

OVERLAID = [
    name + overlays
    for name in COMPLETE
    for overlays in ("", "+cap-4", "+no-liability", "+cap-4+no-liability")
]
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
    *(f"{name}[cap.doublings={most}]" for most, name in enumerate((*COMPLETE, "qq-classic", "happy"))),
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
STATUSES = {
    "exact",
    "projected",
    "undefined",
    "void",
    "unfinished",
    "escaped",
    "overflow",
    "not_representable",
}
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
        if recorded == UNKNOWN or offers(agreement.oracle_rules(recorded), act)
    }
    return STATUSES | set(CODES) - NEVER - offered


def settled(settling: Settling, specs: Sequence[str]) -> tuple[list[Disagreement], set[str]]:
    """The disagreements under some rule sets, and which statuses, reasons and assumptions there were."""
    found: list[Disagreement] = []
    seen: set[str] = set()
    for spec in specs:
        columns = settlement_columns(settling.facts, spec)
        found += settling.disagreements(spec, columns)
        seen |= {*columns["score_status"], *filter(None, columns["reason"])}
        for bits in set(columns["assumed"]):
            seen |= {code for place, code in enumerate(CODES) if bits >> place & 1}
    return found, seen


def check(recorded: str, number: int, specs: Sequence[str]) -> None:
    """Replays and settles so many hands both ways, and asks whether all that can occur did."""
    documents = hands(recorded, number, SEED)
    replayed, said = engine_replay(documents), [oracle_replayed(document) for document in documents]
    found = agreement.disagreements_on_replay(documents, replayed, said)
    settling, seen = settled(Settling(documents, replayed.facts, said), specs)
    assert not found + settling, told(found + settling)
    occurred = Counter(
        each for document, row in zip(documents, said, strict=True) for each in occurrences(document, row)
    )
    assert sorted(expected(recorded) - occurred.keys()) == []
    assert [name for name in AMBIGUOUS if occurred[name] < OFTEN] == []
    assert sorted(settling_expected(recorded) - seen) == []


@pytest.mark.parametrize("recorded", RECORDED)
def test_engine_and_oracle_agree(recorded: str) -> None:
    """Every fact, play, issue, episode and settlement of 3,400 hands is the oracle's, and every kind of hand is among them."""
    check(recorded, HANDS, specs_for(recorded))


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
    documents = [hand(rng, place, base) | {"rules": spec} for place in range(200)]
    found = agreement.disagreements(documents, [base, spec])
    assert not found, told(found)


def test_amounts_near_the_largest_agree() -> None:
    """A hand whose amounts no longer fit is undefined, one whose amounts just fit is scored to the last digit."""
    rng = Random(SEED)
    documents = hands("jj-classic", 400, SEED) + hands("happy", 400, SEED)
    for document in documents:
        worth = rng.choice([3 * 10**12, 7 * 10**12, "2999999999999.9999", 3 * 10**13])
        document["room"] = document.get("room", {}) | {"unit": worth, "rate": worth}
    said = [oracle_replayed(document) for document in documents]
    specs = ["jj-classic", "jj-bomb", "jj-bomb[events.bomb_reading=cumulative]", "happy"]
    found, seen = settled(Settling(documents, engine_replay(documents).facts, said), specs)
    assert not found, told(found)
    assert {"overflow", "exact", "projected"} <= seen


def test_the_oracle_knows_all_that_is_shipped() -> None:
    """Whatever rule set or overlay comes with the package is held against the oracle."""
    assert set(shipped_rules()) == set(COMPLETE)
    assert set(shipped_overlays()) == set(OVERLAYS)
    assert RECORDED[-1] == UNKNOWN
