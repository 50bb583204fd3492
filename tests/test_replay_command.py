"""`ddz replay` on the terminal: by golden text, within 80 places, in colour only where colours are wanted, and as JSON."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddz_analytics.cli import ddz
from ddz_analytics.store.catalog import connect
from ddz_analytics.viewer.terminal import as_text
from ddz_analytics.widths import text_width
from tests.explained import ROOT, run
from tests.viewing import RULES, seen

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def _plain(text: str) -> str:
    return re.sub(r"^/\S*?(docs/|sample_logs/)", r"\1", text, flags=re.MULTILINE)


def test_hand_on_the_terminal(to_view: Path) -> None:
    """The hand of the documentation: two rule sets side by side, the stakes where they change, the settlement at the end.

    Bid 3, ×2 for the bomb and ×2 for the rocket (qq Q18); the fine is 3 · 3 · 4 (Q21), which jj-classic does not have.
    """
    page = (ROOT / "docs" / "replay.md").read_text("utf-8")
    command, shown = re.findall(r"```console\n\$ ddz (.*?)\n(.*?)```", page, re.DOTALL)[0]
    assert _plain(run(*shlex.split(command), "--store", str(to_view))) == shown


def test_chinese_columns_stand_below_each_other(to_view: Path) -> None:
    """In Chinese, whose letters take up two places, the columns stand where they stand in English."""
    text = run("replay", "escape", "--vs", "jj-classic", "--store", str(to_view), "--lang", "zh")
    lines = text.splitlines()
    bomb = next(line for line in lines if "炸弹" in line)
    rocket = next(line for line in lines if "火箭" in line)
    assert bomb.startswith("  地主      3333  炸弹")
    assert text_width(bomb) == text_width(rocket) == 80
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", text)


def test_colours_are_for_terminals_that_want_them(to_view: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards are coloured where colours are shown; a pipe, --no-color and NO_COLOR get the same text without."""
    words = ["replay", "examples/rob-back", "--store", str(to_view), "--lang", "en"]
    coloured = CliRunner().invoke(ddz, words, color=True).stdout
    plain = CliRunner().invoke(ddz, words).stdout
    assert "\x1b[31mbig joker\x1b[0m" in coloured
    assert ESCAPES.sub("", coloured) == plain
    assert "\x1b" not in plain
    assert CliRunner().invoke(ddz, [*words, "--no-color"], color=True).stdout == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert CliRunner().invoke(ddz, words, color=True).stdout == plain


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_lines_fit(to_view: Path, lang: str) -> None:
    """Below its heading no hand has a line wider than 80 places, but for the words of faults and assumptions."""
    with connect(to_view) as connection:
        hands = connection.sql("SELECT hand_id FROM hands ORDER BY hand_id").fetchall()[::7]
        found = seen(connection, [hand for (hand,) in hands], RULES)
    for each in found.values():
        lines = ESCAPES.sub("", as_text(each.course, each.runs, lang)).split("\n\n", 1)[1].split("\n")
        assert all(line == line.rstrip() for line in lines)
        wide = [line for line in lines if text_width(line) > 80]
        assert all(re.match(r"    [!*] |  [AB] |  \S+ \S+$", line) for line in wide), wide


def test_frames_as_json(to_view: Path) -> None:
    """--json has every frame with its words, what is held, and what is played for under each rule set."""
    told = json.loads(run("replay", "examples/rob-back", "--store", str(to_view), "--json"))
    assert [frame["kind"] for frame in told["frames"]][-1] == "end"
    called = told["frames"][1]
    assert called["words"] == "landlord ann calls"
    assert called["so_far"]["happy"]["stakes"] == ["10", "10"]
    assert told["settlements"][0]["net"] == {"landlord": "640", "down": "-320", "up": "-320", "house": "0"}


def test_hand_must_be_known(to_view: Path) -> None:
    """A name that no hand has is an error with its code, as for `ddz explain`."""
    for name, code in (("nobody", "hand_unknown"), ("examples/nobody", "hand_unknown")):
        done = CliRunner().invoke(ddz, ["replay", name, "--store", str(to_view)])
        assert done.exit_code != 0
        assert getattr(done.exception, "code", None) == code


def test_one_name_is_kept(to_view: Path) -> None:
    """With --player the other two are seats, on the terminal and on the page."""
    words = ("replay", "escape", "--store", str(to_view), "--player", "bo")
    for text in (run(*words), run(*words, "--html", "-")):
        assert re.search(r"\bbo\b", text) and not re.search(r"\b(ann|cy)\b", text)
