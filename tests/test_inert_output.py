"""Names that command a terminal, turn the direction of a line or look like formulas have no power in any output."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddz_analytics.answers.delimited import as_csv, as_json, as_jsonl
from ddz_analytics.cli import ddz
from ddz_analytics.cli.common import print_json, write_out
from ddz_analytics.query import run_query
from tests.stores import played, take

POWER = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
NAMES = (
    "\x1b[31mred",
    "\u202egpj\u2066",
    "a\nb\rc",
    "\x9b2J\x00",
    "=1+1",
    "\u2028<script>",
    "\x1b]0;title\x07",
    "张三\u200f",
)


def called(number: int) -> str:
    """The name of one of twelve players."""
    return f"{NAMES[number % len(NAMES)]}{number}"


COMMANDS = {
    "info": ["info"],
    "info json": ["info", "--json"],
    "verify": ["verify"],
    "table": ["sql", "SELECT * FROM hand_seats"],
    "json": ["sql", "SELECT * FROM hand_seats", "--format", "json"],
    "jsonl": ["sql", "SELECT * FROM hands", "--format", "jsonl"],
    "a name that is none": ["sql", "SELECT \"\x1b[31m\u202e\" FROM hands"],
    "rejected": ["sql", "SELECT * FROM rejected_hands"],
    "compare": ["compare", "--baseline", "jj-classic", "--against", "qq-classic", "--by", "player"],
    "nested too deeply": ["compare", "--where", "(" * 3000 + "seat = 0" + ")" * 3000],
    "compare json": ["compare", "--baseline", "jj-classic", "--against", "qq-classic", "--by", "player,table_id", "--format", "json"],
    "reconcile": ["reconcile"],
    "reconcile json": ["reconcile", "--json"],
    "explain": ["explain", "1", "--rules", "jj-classic"],
    "explain json": ["explain", "1", "--rules", "jj-classic", "--json"],
    "explain nobody": ["explain", "\x1b[31m\u202e", "--rules", "jj-classic"],
    "replay": ["replay", "1", "--rules", "jj-classic", "--vs", "qq-classic"],
    "replay json": ["replay", "1", "--rules", "jj-classic", "--json"],
    "standings": ["standings", "--rules", "jj-classic"],
    "standings json": ["standings", "--rules", "jj-classic", "--json"],
    "statement": ["statement", "--player", called(0), "--rules", "jj-classic"],
    "statement json": ["statement", "--player", called(1), "--rules", "jj-classic", "--json"],
    "ingest": ["ingest", "log\x1b[31m.jsonl", "--reparse"],
    "ingest json": ["ingest", "log\x1b[31m.jsonl", "--reparse", "--json"],
}  # fmt: skip


FAILING = [COMMANDS[name] for name in ("a name that is none", "explain nobody", "nested too deeply")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store all of whose names want power, and its log."""
    folder = tmp_path_factory.mktemp("names")
    hands = [json.loads(line) for line in played(40).splitlines()]
    known = sorted({player for hand in hands for player in hand["players"]})
    for hand in hands:
        hand["players"] = [called(known.index(player)) for player in hand["players"]]
        hand["id"] += "\x1b[2J\u202e"
        hand["table"] = hand["match"] = "t\x1b]0;x\x07\u202e"
        hand["_note"] = "\x9b\u2066"
    hands.append(hands[0] | {"\x1b[31m\u202e": 1})
    (folder / "log\x1b[31m.jsonl").write_text("".join(json.dumps(hand) + "\n" for hand in hands), "utf-8")
    take(folder / "ddz-store", folder / "log\x1b[31m.jsonl")
    return folder


@pytest.mark.parametrize("words", COMMANDS.values(), ids=list(COMMANDS))
def test_commands(folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command prints, be it text, JSON or an error, has no letter with power over a terminal; JSON has them as escapes."""
    monkeypatch.chdir(folder)
    run = CliRunner().invoke(ddz, words)
    said = run.stdout + run.stderr + (str(run.exception) if run.exception else "")
    assert said
    assert (run.exit_code != 0) == (words in FAILING), said
    assert not POWER.search(said), repr(POWER.search(said))
    if "--json" in words or "json" in words:
        json.loads(run.stdout)


class Terminal(io.TextIOWrapper):
    """Something to write to that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_csv_on_a_terminal_and_in_a_file(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file CSV has every letter of a name, in quotation marks where it must, and no formula; a terminal is shown escapes."""
    answer = run_query(folder / "ddz-store", "SELECT DISTINCT player FROM hand_seats ORDER BY player")
    text = as_csv(answer)
    rows = [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:]
    assert sorted(row.removeprefix("'") for row in rows) == sorted(map(called, range(12)))
    assert not any(row.startswith(("=", "+", "-", "@")) for row in rows)
    write_out(text.encode(), tmp_path / "names.csv")
    assert (tmp_path / "names.csv").read_bytes() == text.encode()
    shown = Terminal(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", shown)
    write_out(text.encode(), None)
    said = shown.buffer.getvalue().decode()  # type: ignore[attr-defined]  # it is the BytesIO from above
    assert not POWER.search(said)
    assert "\\x1b[31mred0" in said and "张三" in said


def test_json_says_every_letter(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON, with escapes where a letter has power, reads back as the names that were there."""
    answer = run_query(folder / "ddz-store", "SELECT DISTINCT player FROM hand_seats ORDER BY player")
    names = sorted(map(called, range(12)))
    assert sorted(row["player"] for row in json.loads(as_json(answer))) == names
    assert sorted(json.loads(line)["player"] for line in as_jsonl(answer).splitlines()) == names
    print_json({"names": [*names, "\U0001f0cf\U000e0001 張"]})
    said = capsys.readouterr().out
    assert not POWER.search(said)
    assert json.loads(said)["names"] == [*names, "\U0001f0cf\U000e0001 張"]
    assert "\U0001f0cf" in said and "張" in said


def test_output_to_what_is_no_file(tmp_path: Path) -> None:
    """A pipe or a device named by `-o` is written to and stays what it is."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reading = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reading.start()
    write_out(b"answer", pipe)
    reading.join()
    assert read == [b"answer"]
    assert pipe.is_fifo()
