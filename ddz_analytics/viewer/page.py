"""One hand as a page of its own that plays it: one file that asks for nothing, in both languages.

The content security policy admits the page's own style and script by their hashes and nothing else.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from ddz_analytics import pages
from ddz_analytics.bilingual import Both, grouped, named, say
from ddz_analytics.explain.hand import WorkedStep
from ddz_analytics.explain.plain import heading_lines
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.version import VERSION
from ddz_analytics.viewer.data import ViewerData
from ddz_analytics.viewer.nets import SIGNS, status_words
from ddz_analytics.viewer.sheet import both_steps, in_both, sheet_of
from ddz_analytics.viewer.viewed import Viewed
from ddz_analytics.viewer.words import say as say_in

_FOLDER = Path(__file__).parent
TEMPLATES = _FOLDER / "templates"


def as_page(viewed: Viewed, lang: str) -> bytes:
    """The page, opening in a language; UTF-8."""
    course, runs, data = viewed.course, viewed.runs, ViewerData()
    style, script = static("page.css") + static("viewer.css"), static("viewer.js") + static("page.js")
    settled = _settled(viewed)
    hand, numbers = data.number(course), [data.run_number(course, run) for run in runs]
    page = _environment().get_template("page.html.j2").render(
        lang=lang,
        title=say_in("page_title", lang, id=course.heading.hand_id),
        heading=[in_both(lines) for lines in zip(*(heading_lines(course.heading, each) for each in LANGUAGES), strict=True)],
        recorded_rules=course.heading.recorded_rules,
        rule_sets=[(sign, title, run.rule_set) for (sign, title, *_), run in zip(settled, runs, strict=True)],
        settled=settled,
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


@cache
def static(name: str) -> str:
    """A file of the viewer's style or script."""
    return (_FOLDER / "static" / name).read_text("utf-8")


def _settled(viewed: Viewed) -> list[tuple[str, Both, Both, list[tuple[WorkedStep, Both, Both]]]]:
    """Each rule set's sign, title, status and steps."""
    return [
        (
            sign,
            in_both((run.title_en, run.title_zh)),
            in_both(status_words(run, lang) for lang in LANGUAGES),
            both_steps(steps),
        )
        for sign, run, steps in zip(SIGNS, viewed.runs, viewed.steps, strict=False)
    ]


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
