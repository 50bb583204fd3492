"""The command as a user meets it: exit codes, one-line errors, what goes to stdout and what to stderr."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ddz_analytics.cli import COMMANDS
from tests.command import ddz

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_logs"
HAPPY = SAMPLES / "simulated" / "happy.ddz.jsonl"
DDZ = [sys.executable, "-c", "from ddz_analytics.cli import main; main()"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of simulated hands, scored under two rule sets."""
    folder = tmp_path_factory.mktemp("cli")
    assert ddz("ingest", HAPPY, folder=folder).returncode == 0
    assert ddz("rescore", "--rules", "happy,qq-classic", folder=folder).returncode == 0
    return folder


def test_version_needs_nothing(tmp_path: Path) -> None:
    """`ddz --version` answers without a store."""
    run = ddz("--version", folder=tmp_path)
    assert (run.returncode, run.stdout) == (0, "ddz, version 0.1.0\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, tmp_path: Path) -> None:
    """Each command has a help text and each of its options one line or more."""
    run = ddz(command, "--help", folder=tmp_path)
    assert run.returncode == 0
    assert len(run.stdout.splitlines()[2].strip()) > 20


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["info"], 3, "error[store_missing]"),
        (["sql", "SELECT 1"], 3, "error[store_missing]"),
        (["ingest", "nowhere.jsonl"], 2, "error[path_missing]"),
        (["ingest", ".", "--format", "nonsense"], 2, "error[unknown_format]"),
        (["rules", "show", "qq-clasic"], 2, "qq-classic"),
        (["frobnicate"], 2, "No such command"),
        (["simulate", "--hands", "0"], 2, "Invalid value"),
        (["rules", "show", "jj-classic+cap4"], 2, "cap-4"),
        (["reconcile"], 3, "error[store_missing]"),
        (["standings", "--levels", "--vs", "happy"], 2, "error[standings_options]"),
    ],
)
def test_errors_are_one_line_with_a_code(arguments: list[str], code: int, told: str, tmp_path: Path) -> None:
    """A mistake ends with its exit code and says in words what it is, without a traceback."""
    run = ddz(*arguments, folder=tmp_path)
    assert run.returncode == code
    assert told in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""
    if "error[" in run.stderr:
        assert len(run.stderr.splitlines()) == 1


def test_debug_shows_where(tmp_path: Path) -> None:
    """`--debug` gives the traceback that is otherwise hidden."""
    run = subprocess.run([*DDZ, "--debug", "info"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Traceback" in run.stderr


def test_ingest_counts_add_up(tmp_path: Path) -> None:
    """read = stored + duplicate + rejected + skipped for every file and in all, in the JSON summary."""
    run = ddz("ingest", *sorted(SAMPLES.glob("*/")), "--json", folder=tmp_path)
    summary = json.loads(run.stdout)
    for counts in (*summary["files"], summary["total"]):
        assert counts["read"] == sum(counts[name] for name in ("stored", "duplicate", "rejected", "skipped"))
    assert summary["total"]["stored"] > 2000
    again = json.loads(ddz("ingest", *sorted(SAMPLES.glob("*/")), "--json", folder=tmp_path).stdout)
    assert again["total"]["stored"] == 0


def test_refused_records_are_kept_and_the_rest_is_stored(tmp_path: Path) -> None:
    """A truncated line, a hand of 53 cards and a binary file are rejections with their codes; other hands are stored."""
    lines = HAPPY.read_bytes().splitlines()[:3]
    deck = json.loads(lines[1])
    deck["dealt"][0] = deck["dealt"][0][:-1]
    broken = [lines[0], json.dumps(deck).encode(), lines[2][:100]]
    (tmp_path / "some.ddz.jsonl").write_bytes(b"\n".join(broken))
    (tmp_path / "picture.bin").write_bytes(bytes(range(256)) * 20)
    run = ddz("ingest", "some.ddz.jsonl", "picture.bin", "--strict", folder=tmp_path)
    assert run.returncode == 1
    assert "total: 4 read = 1 stored + 0 duplicate + 3 rejected + 0 skipped" in run.stdout
    rows = ddz(
        "sql", "SELECT line, code FROM rejected_hands ORDER BY code", "--format", "csv", folder=tmp_path
    )
    assert rows.stdout.split() == ["line,code", "2,deal_size", "1,not_text", "3,truncated"]


def test_standard_input(tmp_path: Path) -> None:
    """`-` reads a log from standard input."""
    run = ddz("ingest", "-", folder=tmp_path, stdin=b"\n".join(HAPPY.read_bytes().splitlines()[:5]))
    assert "total: 5 read = 5 stored" in run.stdout


def test_what_is_current_is_not_scored_again(folder: Path) -> None:
    """Scoring twice does the work once."""
    run = ddz("rescore", "--rules", "happy", folder=folder)
    assert run.stdout.startswith("happy ") and run.stdout.endswith(": current\n")


def test_variant_that_changes_nothing_is_pointed_out(folder: Path) -> None:
    """A `--set` that leaves a rule set as it is gets a note."""
    run = ddz("rescore", "--rules", "happy", "--set", "double.factor=2", folder=folder)
    assert "is the same as happy" in run.stderr


def test_comparison_scores_what_is_missing(folder: Path, tmp_path: Path) -> None:
    """`compare` scores a rule file that nobody scored before and sets it beside the baseline."""
    text = ddz("rules", "show", "happy", "--format", "toml", folder=tmp_path).stdout
    text = text.replace('id = "happy"', 'id = "mine"').replace("\nfactor = 2", "\nfactor = 3")
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    run = ddz(
        "compare",
        "--baseline",
        "happy",
        "--against",
        tmp_path / "mine.toml",
        "--format",
        "json",
        folder=folder,
    )
    assert run.returncode == 0, run.stderr
    tables = json.loads(run.stdout)
    assert [row["key"] for row in tables["what differs from the baseline"]] == ["double.factor"]
    assert [row["rule_set"] for row in tables["overview"]] == ["happy", "mine"]


def test_every_row_of_scores_adds_up(folder: Path) -> None:
    """By SQL: components add up to the score, and three seats and the house to zero, in every hand and rule set."""
    parts = (
        "SELECT count(*) FROM scores WHERE transfer + liability + balance_cut + fee + rake + fine <> score"
    )
    sums = (
        "SELECT count(*) FROM (SELECT s.hand_id FROM scores s JOIN settlements t USING (scenario, rule_set, hand_id) "
        "WHERE t.score_status <> 'undefined' GROUP BY s.scenario, s.rule_set, s.hand_id "
        "HAVING sum(s.score) + any_value(t.house_net) <> 0 OR count(*) <> 3)"
    )
    for question in (parts, sums):
        assert ddz("sql", question, "--format", "csv", folder=folder).stdout.split()[-1] == "0"


@pytest.mark.parametrize(
    "question",
    [
        "COPY (SELECT 1) TO 'out.csv'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "WITH x AS (SELECT 1) SELECT * FROM x; DROP TABLE hands",
        "ATTACH 'other.db'",
        "SET memory_limit = '1GB'",
        "CREATE TABLE t AS SELECT 1",
        "explain (analyze /* ) select 1 -- */ ) create table pwn as select 1",
    ],
)
def test_sql_only_asks(question: str, folder: Path) -> None:
    """A statement that reads files, writes or changes settings is refused with one line."""
    run = ddz("sql", question, folder=folder)
    assert run.returncode == 3
    assert run.stderr.startswith("error[sql_")
    assert len(run.stderr.splitlines()) == 1
    assert not (folder / "out.csv").exists()


def test_views_are_listed(folder: Path) -> None:
    """`ddz sql` alone lists every view with its columns and what they mean."""
    listing = ddz("sql", folder=folder).stdout
    assert "\nsettlements: " in listing
    assert "score_status" in listing


def test_output_to_a_file_is_whole(folder: Path, tmp_path: Path) -> None:
    """`-o` writes the very bytes that would go to stdout, and refuses a folder that is not there."""
    question = ("sql", "SELECT hand_id, bid FROM hand_facts ORDER BY hand_id", "--format", "csv")
    target = tmp_path / "bids.csv"
    assert ddz(*question, "-o", target, folder=folder).returncode == 0
    assert target.read_text("utf-8").splitlines() == ddz(*question, folder=folder).stdout.splitlines()
    assert ddz(*question, "-o", tmp_path / "no" / "bids.csv", folder=folder).returncode == 2


def test_interrupted_ingest_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    """Interrupted in the middle, `ddz ingest` leaves with 130, and a rerun stores everything."""
    log = tmp_path / "big.ddz.jsonl"
    assert ddz("simulate", "--hands", 40_000, "-o", log, folder=tmp_path).returncode == 0
    run = subprocess.Popen(
        [*DDZ, "ingest", str(log), "--jobs", "1"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not list((tmp_path / "ddz-store").glob("tmp-*/*")) and run.poll() is None:
        time.sleep(0.02)
    os.kill(run.pid, signal.SIGINT)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 130, told
    assert b"Traceback" not in told
    assert not list((tmp_path / "ddz-store").glob("tmp-*"))
    assert "total: 40000 read = 40000 stored" in ddz("ingest", log, folder=tmp_path).stdout
    assert ddz("verify", folder=tmp_path).stdout == "the store is whole\n"


def test_explanation_ends_at_the_score(folder: Path) -> None:
    """`ddz explain` ends at the numbers of `settlements`, by the hand's own id or its number, and refuses an unknown one."""
    question = (
        "SELECT source_hand_id, hand_id, net_landlord::INTEGER AS net FROM settlements JOIN hands USING (hand_id) "
        "WHERE rule_set = 'happy' AND abs(net_landlord) > 100 AND net_landlord % 1 = 0 ORDER BY hand_id LIMIT 1"
    )
    (row,) = json.loads(ddz("sql", question, "--format", "json", folder=folder).stdout)
    by_id = ddz("explain", row["source_hand_id"], "--rules", "happy", "--json", folder=folder)
    by_number = ddz("explain", row["hand_id"], "--rules", "happy", "--json", folder=folder)
    assert by_id.stdout == by_number.stdout
    assert json.loads(by_id.stdout)["explanations"][0]["net"]["landlord"] == str(row["net"])
    unknown = ddz("explain", "nobody", folder=folder)
    assert (unknown.returncode, unknown.stderr[:19]) == (2, "error[hand_unknown]")


def test_reader_that_has_had_enough(folder: Path) -> None:
    """Output into a pipe that is closed early ends quietly."""
    command = " ".join([sys.executable, "-c", "'from ddz_analytics.cli import main; main()'"])
    run = subprocess.run(
        ["bash", "-c", f"{command} sql 'SELECT * FROM actions' --format jsonl | head -1"],
        cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    assert run.stdout.startswith(b"{")
    assert run.stderr == b""
