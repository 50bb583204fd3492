"""One hand as a page of its own that plays it: one file that asks for nothing, in both languages.

The content security policy admits the page's own style and script by their hashes and nothing else.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from ddz_analytics import pages
from ddz_analytics.bilingual import Both, exact, named, say
from ddz_analytics.explain.hand import WorkedStep
from ddz_analytics.explain.plain import heading_lines
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.version import VERSION
from ddz_analytics.viewer.data import ViewerData
from ddz_analytics.viewer.nets import SIGNS, status_words
from ddz_analytics.viewer.sheet import in_both, sheet_of
from ddz_analytics.viewer.viewed import Steps, Viewed
from ddz_analytics.viewer.words import say as say_in

_FOLDER = Path(__file__).parent
TEMPLATES = _FOLDER / "templates"


def as_page(viewed: Viewed, lang: str) -> bytes:
    """The page, opening in a language; UTF-8."""
    course, runs, data = viewed.course, viewed.runs, ViewerData()
    style, script = static("page.css") + static("viewer.css"), static("viewer.js") + static("page.js")
    hand, numbers = data.number(course), [data.run_number(course, run) for run in runs]
    page = _environment().get_template("page.html.j2").render(
        lang=lang,
        title=say_in("page_title", lang, id=course.heading.hand_id),
        heading=[in_both(lines) for lines in zip(*(heading_lines(course.heading, each) for each in LANGUAGES), strict=True)],
        recorded_rules=course.heading.recorded_rules,
        rule_sets=list(zip(SIGNS, _rule_sets(viewed), strict=False)),
        hand=hand,
        runs=numbers,
        sheet=sheet_of(course, runs),
        signs=SIGNS[: len(runs)],
        data=pages.in_script(data.as_value()),
        policy=_policy(style, script),
        style=Markup(style),  # nosec: a file of the package
        script=Markup(script),  # nosec: a file of the package
        version=VERSION,
    )  # fmt: skip
    return page.encode()


def both_steps(steps: Steps) -> list[tuple[WorkedStep, Both, Both]]:
    """The steps of a settlement, each with its title and its words in both languages."""
    pairs = zip(*(steps[lang] for lang in LANGUAGES), strict=True)
    return [(en, Both(en.title, zh.title), Both(en.words, zh.words)) for en, zh in pairs]


def grouped(amount: str) -> str:
    """An exact decimal as a page writes numbers."""
    return exact(Decimal(amount)) if amount else ""


@cache
def static(name: str) -> str:
    """A file of the viewer's style or script."""
    return (_FOLDER / "static" / name).read_text("utf-8")


def _rule_sets(viewed: Viewed) -> list[dict[str, Any]]:
    told = []
    for sign, run, steps in zip(SIGNS, viewed.runs, viewed.steps, strict=False):
        title = in_both((run.title_en, run.title_zh))
        told.append(
            {
                "id": run.rule_set,
                "title": title,
                "named": Both(f"{sign} {title.en}", f"{sign} {title.zh}"),
                "status": in_both(status_words(run, lang) for lang in LANGUAGES),
                "steps": both_steps(steps),
            }
        )
    return told


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; script-src {pages.hashes([script])}; style-src {pages.hashes([style])}; "
        "connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


@cache
def _environment() -> Environment:
    environment = pages.environment(TEMPLATES)
    environment.globals.update(t=say, named=named, grouped=grouped, cite=str)
    return environment
