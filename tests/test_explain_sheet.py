"""The sheet of one hand: one page to print, self-contained, inert, with one name at most."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.rules import load_rules
from ddz_analytics.version import VERSION
from tests.explained import ROOT, run
from tests.reports import HOSTILE
from tests.stores import take

EVIL = "".join(HOSTILE)
HAND = json.loads((ROOT / "docs" / "explained.ddz.jsonl").read_text("utf-8").splitlines()[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the documented hands, and one whose every text wants to be code."""
    folder = tmp_path_factory.mktemp("sheet")
    named = {"id": EVIL, "table": HOSTILE[0], "match": HOSTILE[2], "players": list(HOSTILE[:3])}
    (folder / "hostile.jsonl").write_text(json.dumps({**HAND, **named}) + "\n")
    take(folder / "store", ROOT / "docs" / "explained.ddz.jsonl", folder / "hostile.jsonl")
    return folder


def _sheet(folder: Path, hand: str, *more: str) -> str:
    return run("explain", hand, "--store", str(folder / "store"), "--sheet", "-", *more)


def test_sheet_has_everything(folder: Path) -> None:
    """Source file and line, rule hash, version, deal, play, every step with its clause, and the final scores."""
    page = html.unescape(_sheet(folder, "kick-beyond-the-cap"))
    rules = load_rules("casino-capped")
    for text in (
        "explained.ddz.jsonl:2 (ddz/1)", f"casino-capped {rules.rule_hash}", f"Computed by ddz {VERSION}", *HAND["dealt"], HAND["bottom"],
        "6789TJ", "#1 seat 1 kicks", "clause: casino C26: 計分規則", "64 (×32 → ×16) → 32", "+91.2", "-64", "-32", "+4.8",
        "casino C26 (計分規則): More than four doublings in a hand count as four.",
    ):  # fmt: skip
        assert text in page, text


def test_sheet_speaks_chinese(folder: Path) -> None:
    """In Chinese the page says so and has no English sentence."""
    page = _sheet(folder, "kick-beyond-the-cap", "--lang", "zh")
    assert '<html lang="zh">' in page and "单局结算说明" in page and "农民踢。" in page
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", html.unescape(page.partition("<body>")[2]))


def test_sheet_names_nobody_unless_asked(folder: Path) -> None:
    """All players are seats; with --player that one keeps his name, the others do not."""
    assert not re.search(r"\b(ann|bo|cy)\b", _sheet(folder, "kick-beyond-the-cap"))
    page = _sheet(folder, "kick-beyond-the-cap", "--player", "bo")
    assert re.search(r"\bbo\b", page) and not re.search(r"\b(ann|cy)\b", page)


def test_sheet_sets_two_rule_sets_side_by_side(folder: Path) -> None:
    """With --vs both stand on it, and what parts them."""
    page = html.unescape(_sheet(folder, "spring-with-bombs", "--vs", "jj-classic"))
    assert "jj-classic minus jj-bomb: landlord seat 0 +120 · down peasant seat 1 -60" in page


def test_sheet_goes_to_a_file_beside_json(folder: Path) -> None:
    """With a file and --json the page is in the file and the data on stdout; the file alone prints nothing."""
    file = folder / "hand.html"
    arguments = ("explain", "escape", "--store", str(folder / "store"), "--sheet", str(file))
    assert run(*arguments) == ""
    assert file.read_text("utf-8").startswith("<!doctype html>")
    assert json.loads(run(*arguments, "--json"))["hand"]["source_hand_id"] == "escape"


def test_hostile_sheet_has_no_markup_of_a_log(folder: Path) -> None:
    """Whatever a log calls its players, tables and hands, the page has the template's elements alone and no control characters."""
    hostile = _sheet(folder, EVIL, "--player", HOSTILE[2])
    tags = re.compile(r"<(/?[a-z0-9!-]+)")
    plain = _sheet(folder, "kick-beyond-the-cap", "--player", "bo")
    assert set(tags.findall(hostile)) <= set(tags.findall(plain)) | {"b", "/b"}
    assert "script" not in tags.findall(hostile)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", hostile)
    assert "default-src 'none'" in html.unescape(hostile)


@pytest.mark.parametrize(
    "hand", [EVIL, "kick-beyond-the-cap", "payer-with-a-fee"], ids=["hostile", "kick", "fee"]
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sheet_in_a_browser(chromium: Any, folder: Path, hand: str, lang: str) -> None:
    """The page asks for nothing, complains of nothing, runs nothing, is styled, and prints on one page of A4."""
    file = folder / "sheet.html"
    file.write_text(_sheet(folder, hand, "--lang", lang), "utf-8")
    page = chromium.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert (said, asked) == ([], [file.as_uri()])
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("getComputedStyle(document.querySelector('.rounds')).columnCount") == "3"
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.close()
