"""Documents that are made of the texts in `ddz_analytics/locale` of the glossary and of the README: `python -m tests.documents` writes them."""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ddz_analytics import locale
from ddz_analytics.locale import LANGUAGES, codes

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```\w+\n.*?^```$", re.DOTALL | re.MULTILINE)
KINDS = ("rejection", "issue", "assumption", "reason", "cause", "finding", "error")
WORDS = ("game", "scoring", "tool")
WIDTH = 140


def glossary() -> Mapping[str, Any]:
    """The words of the game and of the tool: `words`, what is said of the kinds, and by kind each word's `term` and `means`."""
    return tomllib.loads((ROOT / "docs" / "glossary.toml").read_text("utf-8"))


def documents() -> dict[str, str]:
    """Every such document by its name in the project."""
    return {
        "docs/codes.md": _codes("en"),
        "docs/codes.zh.md": _codes("zh"),
        "docs/glossary.md": _glossary(),
        "README.zh.md": _chinese_readme(),
    }


def _chinese_readme() -> str:
    """The Chinese README with the commands, their output and the programs of the English one, block by block."""
    blocks = BLOCK.finditer((ROOT / "README.md").read_text("utf-8"))
    return BLOCK.sub(lambda _: next(blocks)[0], (ROOT / "README.zh.md").read_text("utf-8"))


def _codes(lang: str) -> str:
    heads, found = codes()["codes"], codes()["code"]
    parts = [f"# {heads['title'][lang]}", _wrapped(heads["intro"][lang], lang)]
    for kind in KINDS:
        head = heads[kind]
        parts += [f"## {head['title'][lang]}", _wrapped(head["intro"][lang], lang)]
        columns = [column for column in ("what", "cure") if column in head]
        lines = [_row([heads["code"][lang], *(head[column][lang] for column in columns)])]
        lines.append("|" + "---|" * (1 + len(columns)))
        lines += _rows(found[kind], columns, lang)
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _glossary() -> str:
    """The words in both languages, side by side; it is one document, for readers of either."""
    found = glossary()
    heads = found["words"]
    parts = [f"# {heads['title']['en']} / {heads['title']['zh']}"]
    parts += [_wrapped(heads["intro"][lang], lang) for lang in LANGUAGES]
    head = _row(["English", "中文", "", ""]) + "\n|---|---|---|---|"
    for kind in WORDS:
        rows = [
            _row([word[part][lang] for part in ("term", "means") for lang in LANGUAGES])
            for word in found[kind].values()
        ]
        parts += [f"## {heads[kind]['en']} / {heads[kind]['zh']}", "\n".join([head, *rows])]
    parts += [f"## {heads['codes']['en']} / {heads['codes']['zh']}", "\n".join(_terms())]
    return "\n\n".join(parts) + "\n"


def _terms() -> Iterator[str]:
    yield _row(["", "", "English", "中文"])
    yield "|---|---|---|---|"
    named = tomllib.loads((Path(locale.__file__).parent / "terms.toml").read_text("utf-8"))
    for kind, terms in named.items():
        for code, term in terms.items():
            yield _row([kind, f"`{code}`", term["en"], term["zh"]])


def _rows(found: Mapping[str, Any], columns: list[str], lang: str) -> Iterator[str]:
    for code, entry in found.items():
        yield _row([f"`{code}`", *(entry.get(column, {}).get(lang, "") for column in columns)])


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _wrapped(text: str, lang: str) -> str:
    return textwrap.fill(text, WIDTH, break_on_hyphens=False) if lang == "en" else text


if __name__ == "__main__":
    for name, content in documents().items():
        (ROOT / name).write_text(content, "utf-8")
