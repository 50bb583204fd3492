"""How one hand's score comes about, step by step: told exactly, and ending where settling ends."""

from __future__ import annotations

import zlib
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest

from ddz_analytics.explain import WorkedStep, worked
from ddz_analytics.locale import LANGUAGES, term
from ddz_analytics.rules import RuleSet, load_rules, shipped_overlays, shipped_rules, variants
from ddz_analytics.schema import FACTS, ROLES
from ddz_analytics.settlement.assumptions import CODES
from ddz_analytics.settlement.settle import settle
from ddz_analytics.store import open_store
from tests.reports import SAMPLES, simulated
from tests.small_store import facts, table
from tests.stores import take

EVERY = 47  # of the hands, how many stand for one
NATURAL = 62  # the default combination switches as bits


@pytest.fixture(scope="module")
def many_facts(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """The facts of the sample logs and of hands simulated under every shipped rule set."""
    folder = tmp_path_factory.mktemp("facts")
    for name in shipped_rules():
        (folder / f"{name}.jsonl").write_bytes(simulated(load_rules(name), 40))
    take(folder / "store", *sorted(folder.glob("*.jsonl")), *sorted(SAMPLES.glob("*/")))
    return open_store(folder / "store").read("facts").cast(FACTS)


def _row(**more: Any) -> pa.Table:
    """The facts of one hand: landlord 0, nobody doubled or kicked, natural combinations."""
    return table("facts", [facts(1, 0, more.pop("winner", 0), combination_switches=NATURAL, **more)])


def _nets(step: WorkedStep) -> tuple[str, ...]:
    return step.landlord, step.down, step.up, step.house


def test_casino_hand_with_a_kick_is_told_step_by_step() -> None:
    """B 2, four bombs, one kick: the pair plays for 64, the winner pays 5 % (casino C23, C25, C26, C28, C39)."""
    row = _row(bombs=4, auction_kind="room", bid=2, down_kicked=True, down_could_kick=True, kick_offered=True)
    steps = {step.concept: step for step in worked(row, load_rules("casino-capped"), "en")}
    told = {name: (step.operand, step.before, step.after) for name, step in steps.items()}
    assert told == {
        "unit": ("1", "", "1"), "bid": ("×2", "1", "2"), "bombs": ("×16", "2", "32"), "cap": ("×16 → ×16", "32", "32"),
        "pair_down": ("×2", "32", "64"), "pair_up": ("×1", "32", "32"), "transfer": ("", "", ""), "rake": ("5%", "", ""),
    }  # fmt: skip
    assert _nets(steps["transfer"]) == ("96", "-64", "-32", "0")
    assert _nets(steps["rake"]) == ("91.2", "-64", "-32", "4.8")
    assert steps["pair_down"].words == "The peasant kicked."
    assert steps["cap"].citation == load_rules("casino-capped").sources["cap"]


def test_cap_after_pairs_is_told_for_each_pair() -> None:
    """With the kick inside the cap each pair is cut on its own: 60.8 / -32 / -32 and 3.2 for the house."""
    row = _row(bombs=4, auction_kind="room", bid=2, down_kicked=True, down_could_kick=True, kick_offered=True)
    (rules,) = variants(load_rules("casino-capped"), ["cap.after_pairs=true"])
    steps = {step.concept: step for step in worked(row, rules, "en")}
    assert (steps["pair_down"].after, steps["cap_down"].after, steps["cap_up"].after) == ("64", "32", "32")
    assert _nets(steps["rake"]) == ("60.8", "-32", "-32", "3.2")


def test_liability_is_told_with_its_exemption() -> None:
    """Stake 40, down began autoplay with one card, up with nine: they win and down takes both shares (jj J43, J44)."""
    autoplay = {"down_autoplay": True, "down_autoplay_cards": 1, "up_autoplay": True, "up_autoplay_cards": 9}
    row = _row(
        winner=1, auction_kind="score", bid=2, bombs=1, room_unit=10, autoplay_recorded=True, **autoplay
    )
    *_, transfer, liability = worked(row, load_rules("jj-classic"), "zh")
    assert _nets(transfer) == ("-80", "40", "40", "0")
    assert _nets(liability) == ("-80", "80", "0", "0")
    assert "地主上家算托管" in liability.words
    assert "地主下家开始托管时还有 1 张，不超过 1 张不算托管。" in liability.words
    assert liability.citation == "jj J44, J43: “断线”和“托管”计分"


def test_hand_without_a_score_says_why() -> None:
    """A deal thrown in has zeros, a faulty hand has no amounts at all; each is one step with the reason."""
    (thrown_in,) = worked(table("facts", [facts(1, nobody_bid=True)]), load_rules("qq-classic"), "en")
    assert (thrown_in.concept, _nets(thrown_in)) == ("zero", ("0",) * 4)
    (faulty,) = worked(_row(replay_status="faulty"), load_rules("qq-classic"), "en")
    assert (faulty.concept, faulty.words, _nets(faulty)) == ("undefined", "the hand breaks a rule", ("",) * 4)


def test_escape_in_play_is_told() -> None:
    """Bid 3 and a bomb: the escaper loses three times 6, of which minimising leaves the 10 he has (qq Q21, jj J38)."""
    left: dict[str, Any] = {"outcome": "escaped", "escaped_seat": 1, "escape_stage": "play"}
    row = _row(winner=None, auction_kind="score", bid=3, bombs=1, **left, **_balances(100, 10, 100))
    steps = {step.concept: step for step in worked(row, load_rules("qq-classic+minimised"), "en")}
    assert list(steps) == ["unit", "bid", "bombs", "fine", "balance_cut"]
    assert (steps["bombs"].after, _nets(steps["fine"])) == ("6", ("0", "-18", "0", "18"))
    assert _nets(steps["balance_cut"]) == ("0", "-10", "0", "10")
    assert "The down peasant escaped and loses 3 times 6" in steps["fine"].words
    assert "The down peasant pays 10 instead of 18." in steps["balance_cut"].words
    assert steps["fine"].citation == "qq Q21: 積分"


def test_escape_before_any_bid_is_told() -> None:
    """Before any bid there is nothing to multiply: 3 points to the house (qq Q22)."""
    left: dict[str, Any] = {"outcome": "escaped", "escaped_seat": 2, "escape_stage": "before_any_bid"}
    (fine,) = worked(table("facts", [facts(1, **left)]), load_rules("qq-classic"), "zh")
    assert (fine.concept, _nets(fine)) == ("fine", ("0", "0", "-3", "3"))
    assert "扣 3 分" in fine.words


def test_minimised_payments_are_told() -> None:
    """The landlord has 100 and owes 80 and 80, of which one peasant may have 60: 57 and 43 (jj J38)."""
    row = _row(
        winner=1, auction_kind="score", bid=2, room_unit=40, autoplay_recorded=True, **_balances(100, 500, 60)
    )
    *_, last = worked(row, load_rules("jj-classic+minimised"), "en")
    assert (last.concept, _nets(last)) == ("balance_cut", ("-100", "57", "43", "0"))
    assert "The landlord pays 100 instead of 160." in last.words


def test_fee_apart_is_told_beside_the_score() -> None:
    """A fee that is no part of the score is told, and changes no net (qq Q26)."""
    row = _row(auction_kind="score", bid=3, bombs=1, room_rate=1000, room_fee=50)
    *_, last = worked(row, load_rules("qq-coins[house.fee_in_score=false]"), "en")
    assert (last.concept, last.operand, _nets(last)) == ("fee_apart", "50", ("12000", "-6000", "-6000", "0"))


def _balances(landlord: int, down: int, up: int) -> dict[str, int]:
    return {"landlord_balance": landlord, "down_balance": down, "up_balance": up}


def _many_rule_sets() -> list[RuleSet]:
    happy, bomb = load_rules("happy"), load_rules("jj-bomb")
    specs = (
        "qq-classic+minimised", "qq-coins+minimised[escape.to=others,balance.fee=on_top]", "casino-capped[escape.kind=fine]",
        "jj-classic+minimised[liability.shortfall=partner_pays]", "happy[cap.multiplier=8,cap.after_pairs=true]",
        "happy[cap.multiplier=8,cap.pair_amount=5,escape.kind=fine]", "qq-coins[stake.identity_included=false]",
        "happy[cap.landlord_amount=50,cap.after_pairs=true,cap.doublings=2,cap.pair_amount=30]",
        "jj-classic[cap.landlord_amount=7,cap.after_pairs=true]", "qq-coins[house.fee_in_score=false,escape.fee=escaper]",
    )  # fmt: skip
    return [
        *map(load_rules, specs),
        *(load_rules(name + overlay) for name in shipped_rules() for overlay in ("", *(f"+{each}" for each in shipped_overlays()))),
        *variants(happy, ["cap.doublings=2", "cap.after_pairs=true"]),
        *variants(happy, ["events.combine=additive", "events.bomb=2", "events.rocket=3", "events.spring=1", "cap.counts=bombs"]),
        *variants(bomb, ["events.bomb_reading=cumulative", "events.bomb_counts_rocket=true", "cap.doublings=2", "cap.counts=spring"]),
    ]  # fmt: skip


@pytest.mark.parametrize("rules", _many_rule_sets(), ids=lambda rules: rules.id)
def test_explanation_ends_at_the_settlement(many_facts: pa.Table, rules: RuleSet) -> None:
    """Each step begins where the one before ended and sums to zero, the last has the settlement's nets, assumptions are named."""
    settled = settle(many_facts, rules).to_pylist()
    begin = zlib.crc32(rules.id.encode()) % EVERY  # so that the rule sets together meet every hand
    for number, place in enumerate(range(begin, len(many_facts), EVERY)):
        lang = LANGUAGES[number % len(LANGUAGES)]
        _check_explanation(worked(many_facts.slice(place, 1), rules, lang), settled[place], lang)


def _check_explanation(steps: list[WorkedStep], settled: dict[str, Any], lang: str) -> None:
    last = _nets(steps[-1])
    nets = [settled[f"net_{role}"] for role in ROLES] + [settled["house_net"]]
    assert [Decimal(amount) if amount else None for amount in last] == nets
    if settled["reason"] is not None:
        return
    assert all(sum(map(Decimal, _nets(step))) == 0 for step in steps)
    line = [step for step in steps if step.after and not step.concept.endswith("_up")]
    assert all(step.before == before.after for before, step in pairwise(line))
    words = " ".join(step.words for step in steps)
    assumed = [code for bit, code in enumerate(CODES) if settled["assumed"] >> bit & 1]
    assert all(term("assumption", code, lang) in words for code in assumed)
