"""The page: the content laid out by the templates, with style, script and charts inlined under a strict policy.

The content security policy admits the page's own style and scripts by their hashes and nothing else; nothing can be fetched.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from ddz_analytics import pages
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.report import figures, wording
from ddz_analytics.report.content import Content
from ddz_analytics.report.laboratory import Laboratory
from ddz_analytics.report.layout import HELPERS, Page
from ddz_analytics.rules import RuleSet
from ddz_analytics.version import VERSION
from ddz_analytics.viewer.data import ViewerData
from ddz_analytics.viewer.page import TEMPLATES, static

_FOLDER = Path(__file__).parent
BUNDLE = _FOLDER / "vendor" / "plotly-cartesian.min.js"
_EMPTY = ""  # plotly adds an empty style element and fills it rule by rule


def as_page(content: Content, lang: str) -> bytes:
    """The HTML file of a report, opening in `lang`."""
    style, script, bundle = (
        _text(path) for path in ("static/report.css", "static/report.js", BUNDLE.relative_to(_FOLDER))
    )
    style, script = style + static("viewer.css"), script + static("viewer.js")
    page = _environment().get_template("page.html.j2").render(
        page=Page(content),
        laboratory=Laboratory(content),
        played=ViewerData(),
        lang=lang,
        version=VERSION,
        bundle_version=bundle_version(),
        policy=_policy([bundle, script], [style, _EMPTY]),
        style=Markup(style),
        script=Markup(script),
        bundle=Markup(bundle),
        figures=pages.in_script(_figures(content)),
    )  # fmt: skip
    return page.encode()


def bundle_version() -> str:
    """The version that the vendored bundle says it is."""
    return BUNDLE.read_text("utf-8")[:200].partition(" v")[2].split()[0]


def _figures(content: Content) -> dict[str, dict[str, msgspec.Raw]]:
    """Every chart by its name, in both languages."""
    drawn = {}
    sets = (content.baseline, *content.others)
    for lang in LANGUAGES:
        titles = {rules.id: _title(rules, lang) for rules in sets}
        found = {
            "house": figures.house(content.rows("house"), titles, lang),
            "liability": figures.autoplay(content.rows("autoplay_seats"), titles, lang),
        }
        multipliers = content.rows("multipliers")
        for number, rules in enumerate(content.others):
            found[f"spread-{number}"] = figures.spread(content.rows("distribution", rules.id), lang)
            if shares := [row for row in content.contributions if row["rule_set"] == rules.id]:
                found[f"contributions-{number}"] = figures.contributions(shares, lang)
            found[f"multipliers-{number}"] = figures.multipliers(
                multipliers, content.baseline.id, rules.id, lang
            )
        drawn[lang] = found
    return {
        name: {lang: msgspec.Raw(drawn[lang][name].encode()) for lang in LANGUAGES} for name in drawn["en"]
    }


def _title(rules: RuleSet, lang: str) -> str:
    return {"en": rules.title_en, "zh": rules.title_zh}[lang] or rules.id


def _policy(scripts: list[str], styles: list[str]) -> str:
    rules = {
        "default-src": "'none'",
        "script-src": pages.hashes(scripts),
        "style-src": pages.hashes(styles),
        "img-src": "data: blob:",  # a chart saved as a picture
        "connect-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


@cache
def _text(path: str | Path) -> str:
    return (_FOLDER / path).read_text("utf-8")


@cache
def _environment() -> Environment:
    environment = pages.environment(_FOLDER / "templates", TEMPLATES)
    shared = {
        name: getattr(wording, name)
        for name in ("bold", "exact", "named", "prose", "share", "signed", "signed_prose", "tone")
    }
    environment.globals.update(
        shared, t=wording.say, a_hand=wording.a_hand, step_text=_both_steps, part_text=_both_parts, **HELPERS
    )
    return environment


def _both_parts(part: str) -> wording.Both:
    return wording.Both(*(figures.part_text(part, lang) for lang in LANGUAGES))


def _both_steps(step: int) -> wording.Both:
    return wording.Both(*(figures.step_text(step, lang) for lang in LANGUAGES))
