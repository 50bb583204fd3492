"""Hands of a store explained: found by any of their names, told with their places in the hand, ending where `settlements` ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.errors import UsageError
from ddz_analytics.explain.explained import PARTIES, Explained, Question, explain
from ddz_analytics.explain.plain import as_text
from ddz_analytics.explain.record import find_hand
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.rescore import Scenario, rescore
from ddz_analytics.rules import load_rules, shipped_rules
from ddz_analytics.store.catalog import Connection, connect
from tests.explained import ROOT, run
from tests.reports import SAMPLES, simulated
from tests.small_store import ask
from tests.stores import line, take

SPECS = (
    *shipped_rules(),
    "jj-bomb+cap-4",
    "jj-classic+no-liability",
    "jj-classic+minimised",
    "qq-coins+minimised",
)
EVERY = 37  # of the hands, how many stand for one


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands simulated under every shipped rule set and the faulty samples, scored with recorded and with chained balances."""
    folder = tmp_path_factory.mktemp("explained")
    for name in shipped_rules():
        (folder / f"{name}.jsonl").write_bytes(simulated(load_rules(name), 40))
    take(
        folder / "store",
        *sorted(folder.glob("*.jsonl")),
        SAMPLES / "botzone-ftl2",
        ROOT / "docs" / "explained.ddz.jsonl",
    )
    rules = [load_rules(spec) for spec in SPECS]
    rescore(folder / "store", rules)
    rescore(folder / "store", [each for each in rules if "minimised" in each.id], balances="chained")
    return folder / "store"


def _told(
    connection: Connection, hand_id: int, spec: str, scenario: Scenario = "recorded", lang: str = "en"
) -> Explained:
    return explain(connection, Question(hand_id, [load_rules(spec)], scenario, lang))


def _settled(connection: Connection, spec: str, scenario: str) -> list[tuple[Any, ...]]:
    query = (
        "SELECT hand_id, score_status, reason, assumptions, net_landlord, net_down, net_up, house_net FROM settlements "
        f"WHERE rule_set = '{spec}' AND scenario = '{scenario}' ORDER BY hand_id"
    )
    return ask(connection, query)


@pytest.mark.parametrize(
    ("spec", "scenario"),
    [
        *((spec, "recorded") for spec in SPECS),
        ("jj-classic+minimised", "chained"),
        ("qq-coins+minimised", "chained"),
    ],
)
def test_explanation_ends_at_the_stored_score(store: Path, spec: str, scenario: Scenario) -> None:
    """Status, reason, assumptions and the four parties are those of `settlements`, in either scenario."""
    with connect(store) as connection:
        for number, row in enumerate(
            _settled(connection, spec, scenario)[SPECS.index(spec) % EVERY :: EVERY]
        ):
            hand_id, status, reason, assumptions, *nets = row
            (told,) = _told(connection, hand_id, spec, scenario, LANGUAGES[number % 2]).explanations
            net = None if told.net is None else [told.net[party] for party in PARTIES]
            assert (told.status, told.reason, [each.code for each in told.assumptions]) == (
                status,
                reason,
                assumptions or [],
            )
            assert net == (None if nets[0] is None else [f"{amount.normalize():f}" for amount in nets])


def test_chained_balances_are_told(store: Path) -> None:
    """Under chained balances some payment is cut otherwise than under recorded ones, and the explanation tells those balances."""
    query = (
        "SELECT hand_id FROM settlements WHERE rule_set = 'jj-classic+minimised' GROUP BY hand_id "
        "HAVING count(DISTINCT net_landlord) = 2 ORDER BY hand_id LIMIT 1"
    )
    with connect(store) as connection:
        ((hand_id,),) = ask(connection, query)
        words = [
            _told(connection, hand_id, "jj-classic+minimised", scenario).explanations[0].steps[-1].words
            for scenario in ("recorded", "chained")
        ]
    assert words[0] != words[1]


@pytest.mark.parametrize("spec", ["jj-classic", "happy", "casino-capped", "laizi-jj", "qq-classic"])
def test_steps_name_the_acts_that_they_rest_on(store: Path, spec: str) -> None:
    """As many bombs, rockets, robs and openings are placed as are counted, each at an act of the log by the same seat."""
    with connect(store) as connection:
        query = f"SELECT hand_id FROM hands WHERE recorded_rules = '{spec}' ORDER BY hand_id"
        for (hand_id,) in ask(connection, query)[::2]:
            ((bombs, rockets, robs),) = ask(
                connection, f"SELECT bombs, rockets, robs FROM hand_facts WHERE hand_id = {hand_id}"
            )
            told = _told(connection, hand_id, spec)
            (explanation,) = told.explanations
            acts = {act.action_index: act for act in told.acts}
            placed = {step.concept: step.moments for step in explanation.steps}
            found = [moment for moments in placed.values() for moment in moments]
            assert all(
                moment.action_index is not None and acts[moment.action_index].seat == moment.seat
                for moment in found
            )
            if explanation.reason is None:
                kinds = ("bombs", "soft", "hard", "pure")
                assert sum(len(placed.get(kind, ())) for kind in kinds) == bombs
                assert len(placed.get("rockets", ())) == rockets
                assert len(placed.get("robs", ())) == (robs if spec == "happy" else 0)
                factor = next(
                    (step.operation for step in explanation.steps if step.concept == "opening"), "×1"
                )
                assert bool(placed.get("opening")) == (factor != "×1")
                assert all(placed[concept] for concept in ("transfer", "fine") if concept in placed)


def test_faulty_hand_says_where(store: Path) -> None:
    """An undefined score names its reason in words, and a fault its act and its code."""
    with connect(store) as connection:
        query = "SELECT hand_id, action_index, code FROM hand_issues WHERE severity = 'error' AND action_index IS NOT NULL LIMIT 1"
        ((hand_id, action_index, code),) = ask(connection, query)
        (explanation,) = _told(connection, hand_id, "qq-classic").explanations
    (step,) = explanation.steps
    assert (explanation.net, step.words, step.parties) == (None, "the hand breaks a rule", None)
    assert any(moment.action_index == action_index and code in moment.words for moment in step.moments)


@pytest.mark.parametrize(
    ("hand", "spec", "reason", "words"),
    [
        ("soft-bomb", "jj-classic", "needs_wild", "#7 seat 0 plays 3337"),
        ("escape", "casino-capped", "escaped", "#8 seat 1 escapes"),
        ("rob-back", "qq-classic+minimised", "no_balances", None),
    ],
)
def test_reason_is_placed(store: Path, hand: str, spec: str, reason: str, words: str | None) -> None:
    """What leaves a hand without a score stands at its act, if it is one."""
    with connect(store) as connection:
        (explanation,) = _told(connection, find_hand(connection, hand)[0], spec).explanations
    assert explanation.reason == reason
    assert [moment.words for moment in explanation.steps[0].moments] == ([words] if words else [])


def test_chinese_is_chinese(store: Path) -> None:
    """The Chinese text has no word of English but names, ids and citations."""
    known = {
        "spring-with-bombs",
        "examples",
        "ddz",
        "ann",
        "bo",
        "cy",
        "jj-bomb",
        "jj",
        "JJ",
        "explained",
        "jsonl",
        "docs",
    }
    with connect(store) as connection:
        hand_id, _ = find_hand(connection, "spring-with-bombs")
        told = _told(connection, hand_id, "jj-bomb", lang="zh")
    text = as_text(told).partition("\n")[2].partition("\n")[2]  # the path is the machine's
    words = {
        word
        for word in "".join(c if (c.isascii() and c.isalpha()) or c == "-" else " " for c in text).split()
    }
    assert {word for word in words if len(word) > 2} <= known


@pytest.fixture(scope="module")
def named_alike(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands called 5 at two tables, one called 1 which has another number, and names that want to be code."""
    folder = tmp_path_factory.mktemp("alike")
    evil = ["\x1b[31mred", "\u202egpj", "<script>"]
    log = line("5", table="t1") + line("5", table="t2") + line("1", table="t3", players=evil)
    (folder / "log.jsonl").write_bytes(log)
    take(folder / "store", folder / "log.jsonl")
    return folder / "store"


def test_hand_is_found_by_each_of_its_names(named_alike: Path) -> None:
    """A hand_id, the source's id, and table/id name a hand; a hand_id goes first and the other is told."""
    with connect(named_alike) as connection:
        assert find_hand(connection, "t2/5") == (2, [])
        assert find_hand(connection, "t3/1") == (3, [])
        hand_id, others = find_hand(connection, "1")
        assert (hand_id, [row["hand_id"] for row in others]) == (1, [3])
        with pytest.raises(
            UsageError,
            match=r"^error\[hand_ambiguous\]: 2 hands are called '5', say which hand_id: 1 \(table t1, ",
        ):
            find_hand(connection, "5")
        with pytest.raises(UsageError, match=r"^error\[hand_unknown\]"):
            find_hand(connection, "t9/5")


def test_names_are_inert_and_can_be_left_out(named_alike: Path) -> None:
    """No name commands the terminal; with --player all others are seats; somebody who did not sit there is refused."""
    text = run("explain", "3", "--store", str(named_alike))
    assert "\x1b" not in text and "\u202e" not in text and "\\x1b[31mred" in text
    alone = run("explain", "3", "--store", str(named_alike), "--player", "<script>")
    assert "red" not in alone and "<script>" in alone
    with pytest.raises(UsageError, match=r"^error\[player_unknown\]"):
        run("explain", "3", "--store", str(named_alike), "--player", "ann")


def test_json_has_everything(store: Path) -> None:
    """`--json` has version, hand, acts, both rule sets with hash, steps with clauses and places, and where they part."""
    found = json.loads(
        run("explain", "spring-with-bombs", "--vs", "jj-classic", "--store", str(store), "--json")
    )
    assert found["hand"]["source_line"] == 1 and found["version"]
    rules = [load_rules(name) for name in ("jj-bomb", "jj-classic")]
    assert [each["rule_hash"] for each in found["explanations"]] == [each.rule_hash for each in rules]
    bombs = found["explanations"][0]["steps"][2]
    assert (bombs["before"], bombs["operation"], bombs["after"]) == ("30", "×3", "90")
    assert [(clause["id"], clause["page"], clause["heading"]) for clause in bombs["clauses"]] == [
        ("J34", "jj", "积分规则")
    ]
    assert [moment["words"] for moment in bombs["moments"]] == [
        "#1 seat 0 plays 3333",
        "#4 seat 0 plays 4444",
    ]
    assert found["parting"] == {
        "change": {"landlord": "120", "down": "-60", "up": "-60", "house": "0"},
        "first": "Bombs",
    }
