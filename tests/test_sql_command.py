"""`ddz sql` as a user meets it: its answers, notes and examples, its limits, and that nothing of it outlives it."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ddz_analytics.answers import Form
from ddz_analytics.cli.apart import Asked, answered, memory_of
from ddz_analytics.errors import UsageError
from ddz_analytics.examples import examples
from tests.command import ddz
from tests.test_cli import DDZ

SLOW = "SELECT sum(a.range * b.range) FROM range(100000000) AS a, range(100000000) AS b"
CHILD = "ddz_analytics.query.child"


def answer(store: Path, sql: str, form: Form = Form("csv"), **more: object) -> tuple[bytes, list[str]]:  # noqa: B008
    """What a process of its own answers."""
    with answered(Asked(store, sql, form, **more), 60, memory_of("1GB")) as (content, notes):  # type: ignore[arg-type]
        return content.read(), notes


def children() -> list[int]:
    """The processes that answer questions now."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().decode()
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if CHILD in line and str(os.getuid()) and state != "Z":
            found.append(int(folder.name))
    return found


def test_an_answer_goes_to_stdout_and_a_note_to_stderr(six_hands: Path, tmp_path: Path) -> None:
    """The rows alone are on stdout, whatever is to be said of the question on stderr, and a mistake is one line."""
    run = ddz(
        "sql",
        "--store",
        six_hands,
        "SELECT count(*) AS n FROM scores",
        "--format",
        "jsonl",
        folder=tmp_path,
    )
    assert (run.returncode, run.stdout) == (0, '{"n":33}\n')
    assert run.stderr.startswith("note: the answer adds up 3 rule sets (")
    assert len(run.stderr.splitlines()) == 1
    run = ddz("sql", "--store", six_hands, "-o", "x.csv", "SELECT nothing", folder=tmp_path)
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (3, "", 1)
    assert run.stderr.startswith("error[sql_name]")
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_is_shown_the_first_rows_and_told_how_many_there_are(six_hands: Path) -> None:
    """A table on a terminal ends after --limit rows and says so."""
    sql = "SELECT range AS n FROM range(12)"
    here, there = pty.openpty()
    run = subprocess.run(
        [*DDZ, "sql", "--store", str(six_hands), "--limit", "3", sql],
        stdout=there,
        stderr=subprocess.PIPE,
        check=False,
        timeout=120,
    )
    os.close(there)
    assert os.read(here, 10_000).decode().split() == ["n", "-", "0", "1", "2"]
    os.close(here)
    assert run.stderr.decode() == "3 of 12 rows are shown (--limit 0: all)\n"


def test_a_limit_that_is_given_holds_wherever_the_answer_goes(six_hands: Path, tmp_path: Path) -> None:
    """Without --limit a pipe or a file gets every row; with it so many, and a note says so unless none is wanted."""
    sql = "SELECT range AS n FROM range(1200)"
    for to, said in (((), "2 of 1200 rows are shown (--limit 0: all)\n"), (("--quiet",), "")):
        run = ddz("sql", "--store", six_hands, "--format", "csv", "--limit", 2, *to, sql, folder=tmp_path)
        assert (run.stdout, run.stderr) == ("n\r\n0\r\n1\r\n", said)
    assert len(ddz("sql", "--store", six_hands, sql, folder=tmp_path).stdout.splitlines()) == 2 + 1200


def test_a_file_is_written_as_its_name_ends(six_hands: Path, tmp_path: Path) -> None:
    """`-o x.jsonl` needs no --format."""
    run = ddz("sql", "--store", six_hands, "-o", "x.jsonl", "SELECT 1 AS a", folder=tmp_path)
    assert (run.returncode, (tmp_path / "x.jsonl").read_text()) == (0, '{"a":1}\n')


def test_local_times_are_in_the_zone_that_is_asked_for(six_hands: Path) -> None:
    """With --tz times are in another zone than the store's, Shanghai; an unknown one is refused."""
    sql = "SELECT local_time, started_at FROM hands WHERE hand_id = 1"
    told = answer(six_hands, sql, tz="America/New_York")[0].splitlines()[1]
    assert told == b"2026-01-01T15:00:00,2026-01-01T15:00:00-05:00"
    with pytest.raises(UsageError, match="no time zone is called 'Mars'"):
        answer(six_hands, sql, tz="Mars")


def test_examples_are_listed_and_asked(six_hands: Path, tmp_path: Path) -> None:
    """`--example list` names them all, NAME shows the question and its SQL on stderr, and an unknown one the nearest."""
    listed = ddz("sql", "--example", "list", folder=tmp_path).stdout
    assert [each.name for each in examples() if f"  {each.name}: {each.en}\n" not in listed] == []
    run = ddz("sql", "--store", six_hands, "--example", "flows-by-reason", "--format", "csv", folder=tmp_path)
    assert run.stdout.startswith("scenario,rule_set,reason,house_pays,house_receives,payments,moved")
    assert (
        run.stderr.startswith("flows-by-reason: How much moves for which reason")
        and "FROM flows" in run.stderr
    )
    run = ddz("sql", "--store", six_hands, "--example", "flow-by-reasons", folder=tmp_path)
    assert (run.returncode, "nearest: flows-by-reason" in run.stderr) == (2, True)


def test_the_list_of_views_ends_with_the_examples(six_hands: Path, tmp_path: Path) -> None:
    """`ddz sql` alone teaches: views, columns, what they mean, and questions, in the language that is asked for."""
    told = ddz("sql", "--store", six_hands, "--lang", "zh", folder=tmp_path).stdout
    assert (
        "\nflows: " in told
        and told.rstrip().splitlines()[-1] == "  why-not-scored: 哪些局没有得分或得零分，为什么？"
    )


@pytest.fixture
def asking(six_hands: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command with a question that takes for ever, as soon as its process is at work."""
    before = set(children())
    command = [*DDZ, "sql", "--store", str(six_hands), SLOW]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    end = time.monotonic() + 60
    while not set(children()) - before and time.monotonic() < end:
        time.sleep(0.05)
    assert set(children()) - before
    yield run
    run.kill()
    run.communicate()
    end = time.monotonic() + 30
    while set(children()) - before and time.monotonic() < end:
        time.sleep(0.05)
    assert set(children()) - before == set()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_ctrl_c_ends_the_question_at_once(asking: subprocess.Popen[bytes]) -> None:
    """An interrupt ends the command with 130 and one line, and its process with it."""
    asking.send_signal(signal.SIGINT)
    _, said = asking.communicate(timeout=30)
    assert (asking.returncode, said.decode().split("\n")[-2:]) == (
        130, ["interrupted: nothing was published that was not whole", ""],
    )  # fmt: skip


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_a_killed_command_leaves_no_question_behind(asking: subprocess.Popen[bytes]) -> None:
    """When the command itself is killed, the process that answers is gone too."""
    asking.kill()


@pytest.mark.parametrize("memory", ["2 potatoes", "100MB", "-1GB", ""])
def test_memory_that_is_none_is_refused(memory: str) -> None:
    """A size that cannot be read, or too small for any answer, is the caller's mistake."""
    with pytest.raises(UsageError, match=r"^error\[sql_limits\]"):
        memory_of(memory)


def test_memory_is_told_in_bytes() -> None:
    """A unit counts in thousands, one with an i in 1024s."""
    assert (memory_of("2GB"), memory_of("1.5 gib"), memory_of("600MiB")) == (
        2 * 10**9,
        3 * 2**29,
        600 * 2**20,
    )
