"""The catalogue of codes is complete, in both languages, and the documents made of it are current."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from ddz_analytics.locale import LANGUAGES, codes
from ddz_analytics.locale import texts as texts_by_key
from ddz_analytics.settlement.assumptions import CODES
from ddz_analytics.verify import CHECKS
from tests.documents import BLOCK, KINDS, ROOT, WORDS, documents, glossary

CATALOGUE: dict[str, dict[str, Any]] = codes()["code"]
FILES = [*(ROOT / "ddz_analytics").rglob("*.py"), *(ROOT / "ddz_analytics").rglob("*.sql")]
FILES.append(ROOT / "ddz_analytics" / "scales.toml")
SOURCES = [path.read_text("utf-8") for path in FILES]
CALLS = (
    r'(?:Error|BadRecord|Rejected|fault|note|blame|refuse|Fault|refusal|Finding)\(\s*(?:\w+, )*"([a-z_]+)",'
)
ENTRIES = [(kind, code) for kind in KINDS for code in CATALOGUE[kind]]
ERRORS = r'(?:Ddz|Usage|Store)Error\(\s*"([a-z_]+)",'


@pytest.mark.parametrize("code", sorted({code for text in SOURCES for code in re.findall(CALLS, text)}))
def test_code_is_documented(code: str) -> None:
    """Every code that the package raises or notes stands in the catalogue."""
    assert any(code in found for found in CATALOGUE.values())


@pytest.mark.parametrize("code", sorted({code for text in SOURCES for code in re.findall(ERRORS, text)}))
def test_error_is_documented(code: str) -> None:
    """Every code that an error is raised with stands among the errors of commands, or is one of a record."""
    assert code in CATALOGUE["error"] or code in CATALOGUE["rejection"]


@pytest.mark.parametrize(("kind", "names"), [("assumption", CODES), ("finding", CHECKS)])
def test_lists_of_codes_are_documented(kind: str, names: tuple[str, ...]) -> None:
    """Every assumption and every check of a store stands in the catalogue."""
    assert set(names) <= CATALOGUE[kind].keys()


@pytest.mark.parametrize(("kind", "code"), ENTRIES)
def test_code_of_the_catalogue_is_used_and_told_in_both_languages(kind: str, code: str) -> None:
    """A code of the catalogue stands somewhere in the code, and every text about it is there in every language."""
    assert any(re.search(rf"""["'`]{re.escape(code)}["'`]""", text) for text in SOURCES) or "." in code
    columns = {column for column in ("what", "cure") if column in codes()["codes"][kind]}
    entry = CATALOGUE[kind][code]
    assert entry.keys() - {"name"} == columns
    assert all(text.keys() == set(LANGUAGES) for text in entry.values())


def texts(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every pair of an English and a Chinese text in the catalogue."""
    if isinstance(entry.get("en"), str):
        yield entry["en"], entry["zh"]
    else:
        for below in entry.values():
            yield from texts(below)


def test_names_stay_what_they_are() -> None:
    """A command or option that the English text names stands in the Chinese one, too."""
    for english, chinese in texts(dict(codes())):
        for name in re.findall(r"`(ddz [a-z ]+?)[` ]|(?<![\w-])(--[a-z-]+)", english):
            assert "".join(name) in chinese, english


def test_glossary_and_terms_agree() -> None:
    """A word that the glossary and the names of codes both have is translated in one way."""
    words = [word["term"] for kind in WORDS for word in glossary()[kind].values()]
    english = [word["en"] for word in words]
    assert len(set(english)) == len(english)
    known = {word["en"]: word["zh"] for word in words}
    kinds = ("role", "act", "event", "status", "flow")
    named = [entry for key, entry in texts_by_key().items() if key.split(".")[0] in kinds]
    assert {(entry["en"], entry["zh"]) for entry in named if entry["en"] in known} <= set(known.items())


@pytest.mark.parametrize("name", documents())
def test_document_is_current(name: str) -> None:
    """A document that is made of the catalogue, the glossary or the README is what they give (`python -m tests.documents` writes it)."""
    assert (ROOT / name).read_text("utf-8") == documents()[name]


def test_chinese_readme_has_every_block_heading_and_row() -> None:
    """The Chinese README has as many blocks, headings and table rows as the English one, and the same map of the code."""
    english, chinese = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh.md"))
    assert BLOCK.findall(english) == BLOCK.findall(chinese)
    for line in (r"^#+ ", r"^\|", r"^    \S+(?:/|\.py) "):
        assert len(re.findall(line, english, re.MULTILINE)) == len(re.findall(line, chinese, re.MULTILINE)), (
            line
        )
    named = re.compile(r"^    (\S+(?:/|\.py)) ", re.MULTILINE)
    assert named.findall(english) == named.findall(chinese)
    links = [set(re.findall(r"\]\(([^)]+)\)", text)) for text in (english, chinese)]
    assert {link.replace(".zh", "") for link in links[1]} >= {
        link for link in links[0] if link.startswith("docs")
    }
