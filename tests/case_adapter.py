"""From the words of the case files to the public functions, and back: what each fact is called, what each answer is.

A word that is not known here raises `UnknownWord`: a case is run as a whole or it fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

import ddz_analytics as ddz
from ddz_analytics.rules import variants
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.assumptions import CODES
from tests.case_facts import ASIDE, PLAYED, SEATS, UnknownWord, Words, exact, facts_row, first_speaker, only
from tests.case_rules import rules_of

Case = dict[str, Any]

FORMAT = "ddz rule cases v1"

ONE_PAYMENT = "jj_minimise_pair"  # not a rule set: one payment, without a hand around it

_LABELS = {"id", "kind", "derivation", "source", *ASIDE}
_SPOKEN = {
    "first", "first_by_lot", "first_bidder", "actions", "opened_before_call", "room", "landlord", "stage", "beans", "table",
    "room_threshold", "wants",
}  # fmt: skip
_PAYMENT = {"pair", "winner_table", "loser_table", "owed", "winner_seat", "loser_seat", "A"}
_SCORED = {"scores", "house", "sum_scores", "transfers", "fees", "alternatives", "fees_apart", "would_change", "assumed", "undefined"}  # fmt: skip
_HELD = {
    "landlord", "base", "redeal", "auction_over", "actions_left", "legal", "illegal_at", "robs", "rob_multiplier", "skipped",
    "autoplay", "eligible_kickers", "first_to_call", "allowed",
}  # fmt: skip
_ACTS: dict[Any, dict[str, Any]] = {
    **{word: {"act": "decline"} for word in ("pass", "no", "decline", 0)},
    "timeout": {"act": "decline", "actor": "timeout"},
    "call": {"act": "call"},
    "rob": {"act": "rob"},
    "kick": {"act": "kick", "value": 1},
    "no_kick": {"act": "kick", "value": 0},
    "double": {"act": "double", "value": 2},
    "no_double": {"act": "double", "value": 1},
}
_IN_A_ROOM = {
    "double": _ACTS["kick"],
    "no_double": _ACTS["no_kick"],
}  # what casino rooms call a double after a rob
_BOMB_READINGS = {"classic": "power", "total": "total", "cumulative": "cumulative"}


def load_cases(path: Path) -> list[Case]:
    """The cases of one file."""
    document = json.loads(path.read_text("utf-8"), parse_float=Decimal)
    only(document, {"format", "legend", "cases"}, "the file")
    if document["format"] != FORMAT:
        raise UnknownWord(f"{path} has format {document['format']!r}, not {FORMAT!r}")
    return list(document["cases"])


def run_case(case: Case) -> None:
    """Run one case and assert everything that it expects."""
    run = {"combination": _combination, "comparison": _comparison, "scoring": _scoring, "auction": _auction}
    if case["kind"] not in run:
        raise UnknownWord(f"kind {case['kind']!r}")
    run[case["kind"]](case)


def _meets(expected: Words, answers: Mapping[str, Callable[[], Any]]) -> None:
    """Everything that is expected is so; an expectation without an answer is an unknown word."""
    only(expected, {*answers, *ASIDE}, "expect")
    wanted = {name: value for name, value in expected.items() if name not in ASIDE}
    found = {name: answers[name]() for name in wanted}
    assert found == wanted


# --- combinations and comparisons ------------------------------------------------------------------------


def _combination(case: Case) -> None:
    only(case, {*_LABELS, "cards", "expect", "options", "wild"}, "the case")
    readings = [_as_words(reading) for reading in ddz.classify(case["cards"], **_how(case))]
    expected = dict(case["expect"])
    if "readings" in expected:
        expected["readings"] = _sorted(expected["readings"])
    answers: dict[str, Callable[[], Any]] = {
        "legal": lambda: bool(readings),
        "readings": lambda: _sorted(readings),
        "lead_reading": lambda: readings[0] if readings else None,
    }
    _meets(expected, answers)


def _comparison(case: Case) -> None:
    only(case, {*_LABELS, "prev", "play", "expect", "options", "wild"}, "the case")
    for side in ("prev", "play"):
        only(case[side], {"cards", "reading"}, side)
    answer = ddz.beats(
        case["play"]["cards"],
        case["prev"]["cards"],
        declared=_declared(case["play"]),
        previous_declared=_declared(case["prev"]),
        **_how(case),
    )
    used = None if answer.reading is None else _as_words(answer.reading)
    _meets(case["expect"], {"beats": lambda: answer.beats, "reading_used": lambda: used})


def _how(case: Case) -> dict[str, Any]:
    """By which switches, and with which wild rank, a set is read."""
    switches = case.get("options", {})
    only(switches, ddz.Switches._fields, "options")
    return {"switches": switches} | ({"wild": case["wild"]} if case.get("wild") else {})


def _declared(side: Words) -> str | None:
    reading = side.get("reading")
    if reading is None:
        return None
    only(reading, {"category", "length", "main"}, "reading")
    return f"{reading['category']}:{reading['length']}:{reading['main']}"


def _as_words(reading: ddz.Reading) -> dict[str, Any]:
    return {"category": reading.category, "length": reading.length, "main": reading.main_text}


def _sorted(readings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(readings, key=lambda reading: json.dumps(reading, sort_keys=True))


# --- scoring ---------------------------------------------------------------------------------------------


def _scoring(case: Case) -> None:
    only(case, {*_LABELS, "ruleset", "facts", "expect", "options"}, "the case")
    if case["ruleset"] == ONE_PAYMENT:
        _payment(case)
        return
    only(case["facts"], {*PLAYED, *ASIDE}, "facts")
    only(case["expect"], {*_SCORED, *ASIDE}, "expect")
    rules = rules_of(case)
    facts = pa.Table.from_pylist([facts_row(case["facts"], rules)])
    row = ddz.settle(facts, rules).to_pylist()[0]
    if "undefined" in case["expect"]:
        _meets(
            case["expect"],
            {"undefined": lambda: row["reason"] if row["score_status"] == "undefined" else None},
        )
        return
    assert row["score_status"] != "undefined", row["reason"]
    first = case["facts"].get("landlord") or 0

    def by_seat(component: str) -> dict[str, Decimal]:
        return {f"seat{seat}": row[f"{component}_{ROLES[(seat - first) % 3]}"] for seat in SEATS}

    def event_multipliers() -> dict[str, int]:
        return {name: _event_multiplier(facts, rules, name) for name in case["expect"]["alternatives"]}

    answers: dict[str, Callable[[], Any]] = {
        "scores": lambda: by_seat("net"),
        "house": lambda: row["house_net"],
        "sum_scores": lambda: sum(by_seat("net").values()),
        "transfers": lambda: by_seat("transfer"),
        "fees": lambda: row["house_fee"],
        "alternatives": event_multipliers,
        "fees_apart": lambda: row["house_fee_apart"],
        "would_change": lambda: {
            seat: by_seat("double_change")[f"seat{seat}"] for seat in case["expect"]["would_change"]
        },
        "assumed": lambda: [code for place, code in enumerate(CODES) if row["assumed"] >> place & 1],
    }
    _meets(case["expect"], answers)


def _event_multiplier(facts: pa.Table, rules: ddz.RuleSet, name: str) -> int:
    """What all events multiply by when bombs are counted in another way."""
    if name not in _BOMB_READINGS:
        raise UnknownWord(f"alternative {name}")
    other = variants(rules, [f"events.bomb_reading={_BOMB_READINGS[name]}"])[0]
    multiplier: int = ddz.settle(facts, other)["event_multiplier"][0].as_py()
    return multiplier


def _payment(case: Case) -> None:
    """One payment between two balances, and the fee of both."""
    facts = case["facts"]
    only(facts, {*_PAYMENT, *ASIDE}, "facts")
    fee = facts.get("A", 0)
    paid = ddz.minimise(facts["loser_table"], facts["winner_table"], facts["owed"], fee=fee)
    scores = dict.fromkeys((f"seat{seat}" for seat in SEATS), Decimal(0))
    for seat, has, gains in (
        (facts["winner_seat"], facts["winner_table"], paid),
        (facts["loser_seat"], facts["loser_table"], -paid),
    ):
        scores[f"seat{seat}"] = gains - min(fee, max(has + gains, 0))
    answers: dict[str, Callable[[], Any]] = {
        "scores": lambda: scores,
        "house": lambda: -sum(scores.values()),
        "sum_scores": lambda: sum(scores.values()),
    }
    _meets(case["expect"], answers)


# --- auctions --------------------------------------------------------------------------------------------


def _auction(case: Case) -> None:
    only(case, {*_LABELS, "ruleset", "facts", "expect", "options"}, "the case")
    only(case["facts"], {*_SPOKEN, *ASIDE}, "facts")
    only(case["expect"], {*_HELD, *ASIDE}, "expect")
    facts, rules = case["facts"], rules_of(case)
    opened: list[dict[str, Any]] = [
        {"seat": seat, "act": "open", "stage": "start"} for seat in facts.get("opened_before_call", [])
    ]
    spoken = [_act(seat, word, rules) for seat, word in facts.get("actions", [])]
    room = None if "room" not in facts else (exact(facts["room"][0]), exact(facts["room"][1]))
    stage = {"first": first_speaker(facts), "landlord": facts.get("landlord"), "room": room}
    result = ddz.auction([*opened, *spoken], rules, **stage)
    illegal_at = None if result.illegal_at is None else result.illegal_at - len(opened)
    answers: dict[str, Callable[[], Any]] = {
        "landlord": lambda: result.landlord,
        "base": lambda: None if result.landlord is None else result.bid or 1,
        "redeal": lambda: result.redeal,
        "auction_over": lambda: result.over,
        "actions_left": lambda: result.actions_left,
        "legal": lambda: result.legal,
        "illegal_at": lambda: illegal_at,
        "robs": lambda: result.robs,
        "rob_multiplier": lambda: result.rob_multiplier,
        "skipped": lambda: list(result.skipped),
        "autoplay": lambda: list(result.autoplay),
        "eligible_kickers": lambda: list(result.eligible_kickers),
        "first_to_call": lambda: ddz.auction(opened, rules, **stage).next_to_speak,
        "allowed": lambda: _allowed(facts, rules, result.landlord),
    }
    _meets(case["expect"], answers)


def _act(seat: int, word: Any, rules: ddz.RuleSet) -> dict[str, Any]:
    if isinstance(word, int | Decimal) and word:
        return {"seat": seat, "act": "bid", "value": exact(word)}
    known = _ACTS | (_IN_A_ROOM if rules.auction_kind == "room" else {})
    if word not in known:
        raise UnknownWord(f"act {word}")
    return {"seat": seat, **known[word]}


def _allowed(facts: Words, rules: ddz.RuleSet, landlord: int | None) -> dict[str, bool]:
    """Which of the seats that want to double may."""
    assert landlord is not None
    balances = facts.get("beans", facts.get("table"))
    seats = ddz.may_double(rules, balances, facts["room_threshold"], landlord)
    return {str(seat): seats[seat].allowed for seat in facts["wants"]}
