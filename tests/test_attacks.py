"""Statements that attack: each is refused with one line and its code, the store stays as it is, and who asks lives on."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from ddz_analytics.answers import Form
from ddz_analytics.cli.apart import Asked, answered
from ddz_analytics.errors import DdzError
from ddz_analytics.query import Answered, Limits, questions

ATTACKS = tomllib.loads((Path(__file__).parent / "attacks.toml").read_text("utf-8"))
MEMORY, SECONDS = 640 * 2**20, 20.0


def fingerprint(folder: Path) -> dict[str, str]:
    """The hash of every file below a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def ask(six_hands: Path) -> Iterator[Callable[[str], Answered]]:
    """Questions to one sandbox, as the process has it that answers for the command."""
    with questions(six_hands, {}, Limits()) as ask:
        yield ask


def test_there_are_forty_attacks() -> None:
    """The file of attacks holds at least forty statements."""
    assert sum(map(len, ATTACKS.values())) >= 40


@pytest.mark.parametrize("name", ATTACKS["refused"])
def test_an_attack_is_refused(
    ask: Callable[[str], Answered],
    six_hands: Path,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It ends in one line with its code, writes nothing, and the next question is answered as before."""
    monkeypatch.chdir(tmp_path)
    program_table = pa.table({"secret": [1]})
    sql, code = ATTACKS["refused"][name]
    before = fingerprint(six_hands)
    with pytest.raises(DdzError) as raised:
        ask(sql.replace("{store}", str(six_hands)))
    assert (raised.value.code, "\n" in str(raised.value)) == (code, False), str(raised.value)
    assert (fingerprint(six_hands), list(tmp_path.iterdir()), program_table.num_rows) == (before, [], 1)
    assert ask("SELECT count(*) AS n FROM hands").rows.to_pylist() == [{"n": 6}]


@pytest.mark.parametrize("name", ATTACKS["exhausting"])
def test_a_question_that_takes_everything_is_ended(six_hands: Path, name: str) -> None:
    """A process that asks for more memory or time than it may have is ended, told in one line, and its store is as it was."""
    sql, code = ATTACKS["exhausting"][name]
    before = fingerprint(six_hands)
    seconds = 3.0 if code == "sql_timeout" else SECONDS
    with pytest.raises(DdzError) as raised, answered(Asked(six_hands, sql, Form("csv")), seconds, MEMORY):
        pass
    assert (raised.value.code, "\n" in str(raised.value)) == (code, False), str(raised.value)
    assert fingerprint(six_hands) == before
