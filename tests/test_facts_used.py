"""What declared facts are good for: reconciling, standings, chained balances, explanations, and what a store says of them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner

from ddz_analytics import rescore as rescoring
from ddz_analytics.cli import ddz
from ddz_analytics.explain.explained import PARTIES, Explained, Question, explain
from ddz_analytics.explain.plain import as_text
from ddz_analytics.explain.sheet import as_sheet
from ddz_analytics.info import info
from ddz_analytics.reconcile import Reconciled, reconciled
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules, shipped_rules
from ddz_analytics.standings import Standings
from ddz_analytics.store.catalog import connect
from ddz_analytics.verify import verify
from tests.facts_rows import ROW, Row, ask, declare, rows, write_csv
from tests.random_facts import many_facts
from tests.stores import line, played, take
from tests.test_ledger import differences

RECORDED = {
    "recorded_rules": "qq-classic",
    "recorded_score_0": -4,
    "recorded_score_1": 8,
    "recorded_score_2": -4,
}
SILENT = (
    "auction_kind", "auction_silent", "nobody_bid", "raises", "robs", "needs_wild", "reread", "replay_status", "open_offered",
    "double_offered", "kick_offered", "autoplay_recorded", "combination_switches", "autoplay_rules",
)  # fmt: skip


def test_Q18_recorded_scores_are_reconciled(tmp_path: Path) -> None:
    """A right score is exact, a wrong one is not, and a spring that the platform forgot is named."""
    spring = {**RECORDED, "down_plays": 0, "up_plays": 0}
    declare(
        tmp_path / "s",
        write_csv(tmp_path / "a.csv", *rows(RECORDED, {**RECORDED, "recorded_score_1": 9}, spring)),
    )
    rescore(tmp_path / "s", [load_rules("qq-classic")])
    with connect(tmp_path / "s") as connection:
        assert reconciled(connection, "qq-classic") == Reconciled(1, 1, 1)
    causes = "SELECT DISTINCT hand_id, cause FROM reconciliation WHERE cause IS NOT NULL ORDER BY ALL"
    assert ask(tmp_path / "s", causes) == [(2, "amount_differs"), (3, "spring_not_recorded")]


def test_J45_players_of_a_match_are_ranked(tmp_path: Path) -> None:
    """Sums of the match in order, a tie by the last hand that the two shared (jj J45-J46); who has no name stands nowhere."""
    match = {"match_id": "cup", "recorded_rules": "qq-classic"}
    table = rows({**match, "hand_no": 1}, {**match, "hand_no": 2, "player_0": None})
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *table))
    rescore(tmp_path / "s", [load_rules("qq-classic")])
    with connect(tmp_path / "s") as connection:
        order = Standings(connection, "qq-classic").order().to_pylist()
    assert [(row["player"], row["rank"], row["points"]) for row in order] == [
        ("bo", 1, 16),
        ("ann", 2, -4),
        ("cy", 3, -8),
    ]


def test_J38_chained_balances_go_from_hand_to_hand(tmp_path: Path) -> None:
    """What a hand left, and what came from elsewhere since, is what the next one begins with (jj J38-J40).

    cy owes 4 and has 3. After that the log gives him 10 more than his recorded score left him.
    """
    held = {
        "room_unit": 1,
        "balance_0": 100,
        "balance_1": 10,
        "balance_2": 3,
        **RECORDED,
        "started_at": "2026-01-02T10:00:00Z",
    }
    later = {**held, "balance_0": 96, "balance_1": 18, "balance_2": 9, "started_at": "2026-01-02T11:00:00Z"}
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows(held, later)))
    rescore(tmp_path / "s", [load_rules("jj-classic+minimised")], balances="chained")
    query = "SELECT hand_id, player, balance_before, score FROM scores WHERE scenario = 'chained' ORDER BY hand_id, seat"
    assert ask(tmp_path / "s", query) == [
        (1, "ann", 100, -4), (1, "bo", 10, 7), (1, "cy", 3, -3),
        (2, "ann", 96, -4), (2, "bo", 17, 8), (2, "cy", 10, -4),
    ]  # fmt: skip


def test_seats_without_a_name_have_no_balance_to_hand_on(tmp_path: Path) -> None:
    """Nobody's balance is carried from one unnamed seat to another."""
    held = {"player_0": None, "balance_0": 100, "balance_1": 10, "balance_2": 3, "room_unit": 1}
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows(held, {**held, "balance_0": None})))
    rescore(tmp_path / "s", [load_rules("jj-classic")], balances="chained")
    query = "SELECT balance_before FROM scores WHERE scenario = 'chained' AND hand_id = 2 AND seat = 0"
    assert ask(tmp_path / "s", query) == [(None,)]


# Everything that a step may rest on, in a hand that peasants lose, with the landlord at seat 1.
FULL: Row = {
    "auction_kind": "score", "bid": 3, "raises": 2, "room_unit": 10, "room_fee": 5, "room_double_threshold": 100, "rockets": 1,
    "landlord_doubled": 2, "down_doubled": 4, "up_doubled": 1, "down_kicked": True, "down_could_kick": True, "balance_0": 500,
    "balance_1": 9000, "balance_2": 60, "landlord_open_stage": "start", "up_autoplay": True, "up_autoplay_cards": 9,
    "up_autoplay_ever": True, "up_autoplay_most_cards": 9,
}  # fmt: skip


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Declared hands of several kinds, scored under every shipped rule set."""
    folder = tmp_path_factory.mktemp("told")
    left = {"outcome": "escaped", "winner_seat": None, "escaped_seat": 2, "escape_stage": "play"}
    thrown_in = {
        "landlord_seat": None,
        "nobody_bid": True,
        "outcome": "redeal",
        "winner_seat": None,
        "bid": None,
        **dict.fromkeys(("bombs", "landlord_plays", "down_plays", "up_plays"), 0),
    }
    faulty, void = {"replay_status": "faulty"}, {"outcome": "void"}
    wild = {"wild_rank": "7", "soft_bombs": 1, "hard_bombs": 0, "pure_bombs": 0, "needs_wild": True}
    table = rows(
        FULL, {}, left, thrown_in, faulty, void, wild, {**FULL, "auction_kind": "rob", "robs": 2, "bid": None}
    )
    declare(folder / "s", write_csv(folder / "a.csv", *table))
    rescore(folder / "s", [load_rules(name) for name in shipped_rules()])
    return folder / "s"


def explained(store: Path, hand: int, rules: str, lang: str = "en") -> Explained:
    """A hand explained."""
    with connect(store) as connection:
        return explain(connection, Question(hand, [load_rules(rules)], lang=lang))


@pytest.mark.parametrize("rules", shipped_rules())
def test_explanation_names_file_line_and_column(told: Path, rules: str) -> None:
    """A step ends where the settlement does; in place of an act stand the columns of the row that say it, with their values."""
    query = f"SELECT hand_id, net_landlord, net_down, net_up, house_net FROM settlements WHERE rule_set = '{rules}' ORDER BY ALL"
    for hand, *nets in ask(told, query):
        answer = explained(told, hand, rules, "zh" if hand % 2 else "en")
        (explanation,) = answer.explanations
        net = None if explanation.net is None else [explanation.net[party] for party in PARTIES]
        assert net == (None if nets[0] is None else [f"{amount.normalize():f}" for amount in nets])
        moments = [moment for step in explanation.steps for moment in step.moments]
        for moment in moments:
            assert moment.action_index is None and moment.seat is None
            assert f"a.csv:{hand + 1}" in moment.words and str(moment.column) in moment.words
        assert moments or explanation.reason == "no_balances"
        assert as_text(answer) and as_sheet(answer)


@pytest.mark.parametrize(
    ("hand", "rules", "columns"),
    [
        (
            1,
            "qq-classic",
            {"bid": ["auction_kind", "bid"], "rockets": ["rockets"], "transfer": ["winner_seat"]},
        ),
        (
            1,
            "jj-classic",
            {"unit": ["room_unit"], "bombs": ["bombs"], "liability": ["up_autoplay", "up_autoplay_cards"]},
        ),
        (1, "casino-capped", {"pair_down": ["down_kicked", "down_could_kick"]}),
        (
            1,
            "happy",
            {
                "pair_down": ["landlord_doubled", "down_doubled"],
                "opening": ["landlord_open_stage"],
                "robs": ["raises"],
            },
        ),
        (8, "happy", {"robs": ["robs"]}),
        (3, "qq-classic", {"fine": ["escaped_seat", "escape_stage"]}),
        (4, "qq-classic", {"zero": ["outcome", "nobody_bid"]}),
        (5, "qq-classic", {"undefined": ["replay_status"]}),
        (6, "qq-classic", {"zero": ["outcome"]}),
        (7, "qq-classic", {"undefined": ["needs_wild"]}),
        (7, "laizi-general", {"soft": ["soft_bombs"]}),
    ],
)
def test_steps_rest_on_their_columns(
    told: Path, hand: int, rules: str, columns: dict[str, list[str]]
) -> None:
    """Each step names the columns that it rests on, as far as they say something."""
    (explanation,) = explained(told, hand, rules).explanations
    found = {step.concept: [moment.column for moment in step.moments] for step in explanation.steps}
    assert {concept: found.get(concept) for concept in columns} == columns


def test_explain_prints_where_the_fact_is_from(told: Path) -> None:
    """The command prints file, line, column and value, and says that no acts are known."""
    run = CliRunner().invoke(
        ddz, ["explain", "h2", "--rules", "qq-classic", "--store", str(told), "--lang", "en"]
    )
    assert run.exit_code == 0, run.output
    assert "declared facts: no acts are known" in run.output and "a.csv:3, bombs = 1" in run.output


def test_silence_is_named_as_for_logs(tmp_path: Path) -> None:
    """What a row does not say is an assumption of the score; what it says of any seat shows that it was offered or recorded."""
    spoken = {
        "up_autoplay": False,
        "down_kicked": False,
        "down_doubled": 1,
        "room_unit": 10,
        "landlord_open_stage": None,
    }
    silent = {"auction_kind": None, "bid": None}
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows({}, spoken, silent)))
    rescore(
        tmp_path / "s", [load_rules(name) for name in ("jj-classic", "happy", "casino-capped", "qq-classic")]
    )
    query = "SELECT rule_set, hand_id, array_to_string(assumptions, ' ') FROM settlements ORDER BY rule_set, hand_id"
    assert ask(tmp_path / "s", query) == [
        ("casino-capped", 1, "room_bid kicks room.high"),
        ("casino-capped", 2, "room_bid room.high"),
        ("casino-capped", 3, "room_bid kicks room.low"),
        ("happy", 1, "robs open_hand doubles room.rate"),
        ("happy", 2, "robs open_hand room.rate"),
        ("happy", 3, "robs open_hand doubles room.rate"),
        ("jj-classic", 1, "autoplay room.unit"),
        ("jj-classic", 2, ""),
        ("jj-classic", 3, "bid autoplay room.unit"),
        ("qq-classic", 1, ""),
        ("qq-classic", 2, ""),
        ("qq-classic", 3, "bid"),
    ]


@pytest.mark.parametrize("rules", shipped_rules())
def test_ledger_takes_silence_as_settling_does(rules: str) -> None:
    """What `ddz info` foresees of hands that leave out anything at random is what settling finds."""
    rng = Random(7)
    table = many_facts(rng, 400)
    for name in SILENT:
        values: list[Any] = [None if rng.random() < 1 / 3 else value for value in table[name].to_pylist()]
        place = table.column_names.index(name)
        table = table.set_column(place, table.field(name), pa.array(values, table.field(name).type))
    assert differences(table, rules) == []


def test_store_is_whole_and_told_of(told: Path) -> None:
    """`ddz verify` finds nothing wrong, and `ddz info` counts the hands that nobody replayed apart."""
    assert verify(told) == []
    found = info(told)
    assert found["replayed"] == {"faulty": 1, "not_said": 7}
    assert [(row["source_format"], row["hands"]) for row in found["hands"]] == [("facts", 8)]


def test_facts_outlive_a_newer_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaying again leaves declared facts as they are, beside logs in the same store."""
    (tmp_path / "log.jsonl").write_bytes(played(5) + line("thrown-in"))
    take(tmp_path / "s", tmp_path / "log.jsonl")
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows({}, {"bid": 3, "balance_1": Decimal("1.5")})))
    before = ask(tmp_path / "s", "FROM settle_facts ORDER BY hand_id")
    monkeypatch.setattr(rescoring, "REPLAY_VERSION", 99)
    monkeypatch.setattr("ddz_analytics.ingest.replaying.REPLAY_VERSION", 99)
    assert rescore(tmp_path / "s", [load_rules("qq-classic")]).replayed == 8
    assert ask(tmp_path / "s", "FROM settle_facts ORDER BY hand_id") == before and len(before) == 8
    assert verify(tmp_path / "s") == []


def test_facts_of_a_table_for_settle_are_rows_too(tmp_path: Path) -> None:
    """A table made for `ddz.settle` can be ingested as it is: its `hand_id` is the source's id then."""
    row = {name: value for name, value in ROW.items() if name not in ("source_hand_id", "table_id")} | {
        "hand_id": 7
    }
    row = {name: value for name, value in row.items() if not name.startswith("player")}
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", row))
    assert ask(tmp_path / "s", "SELECT hand_id, source_hand_id FROM hands") == [(1, "7")]
