"""Documents that are made of the texts in `ddz_analytics/locale`: `python -m tests.documents` writes them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ddz_analytics.locale import codes

DOCS = Path(__file__).parents[1] / "docs"
KINDS = ("rejection", "issue", "assumption", "reason", "cause", "finding", "error")
WIDTH = 140


def documents() -> dict[str, str]:
    """Every such document by its name in docs/."""
    return {"codes.md": _codes("en"), "codes.zh.md": _codes("zh")}


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


def _rows(found: Mapping[str, Any], columns: list[str], lang: str) -> Iterator[str]:
    for code, entry in found.items():
        yield _row([f"`{code}`", *(entry.get(column, {}).get(lang, "") for column in columns)])


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _wrapped(text: str, lang: str) -> str:
    return textwrap.fill(text, WIDTH, break_on_hyphens=False) if lang == "en" else text


if __name__ == "__main__":
    for name, content in documents().items():
        (DOCS / name).write_text(content, "utf-8")
