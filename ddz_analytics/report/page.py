"""The page: the content laid out by the templates, with style, script and charts inlined under a strict policy.

The content security policy admits the page's own style and scripts by their hashes and nothing else; nothing can be fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from ddz_analytics import pages
from ddz_analytics.comparison import BASELINE_GROUPS
from ddz_analytics.locale import LANGUAGES, texts
from ddz_analytics.report import drawing, figures, orders, payments, wording
from ddz_analytics.report.against import Against, Page
from ddz_analytics.report.content import Content
from ddz_analytics.report.findings import FINDINGS
from ddz_analytics.report.laboratory import Laboratory
from ddz_analytics.report.layout import HELPERS
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
        words=pages.in_script(_words()),
    )  # fmt: skip
    return page.encode()


def bundle_version() -> str:
    """The version that the vendored bundle says it is."""
    return BUNDLE.read_text("utf-8")[:200].partition(" v")[2].split()[0]


def _figures(content: Content) -> dict[str, object]:
    """Every chart by its name, in both languages, and what they have in common."""
    drawn = [dict(_charts(content, lang)) for lang in LANGUAGES]
    return {**drawing.COMMON, "charts": drawing.in_both(drawn)}


def _charts(content: Content, lang: str) -> Iterator[tuple[str, drawing.Values]]:
    """The charts of all rule sets, and those of each other one, which end in its place."""
    titles = {rules.id: _title(rules, lang) for rules in (content.baseline, *content.others)}
    yield "house", payments.house(content.rows("house"), titles, lang)
    yield "liability", payments.autoplay(content.rows("autoplay_losses"), titles, lang)
    yield "balances", payments.balances(content.rows("refusals"), content.rows("balances"), titles, lang)
    if content.grid is not None and content.grid.is_drawn:
        yield "grid", orders.grid(content.grid, lang)
    for part in Page(content).against:
        for name, chart in _charts_against(part, lang):
            yield f"{name}-{part.place}", chart


def _charts_against(part: Against, lang: str) -> Iterator[tuple[str, drawing.Values]]:
    rows, name = part.content.rows, part.rules.id
    yield "spread", figures.spread(rows("distribution", name), lang)
    yield "cumulated", figures.cumulated(rows("distribution", name), lang)
    yield "multipliers", figures.multipliers(rows("multipliers"), *part.ids, lang)
    yield "flows", payments.flows(rows("flows"), *part.ids, lang)
    if part.doublings:
        yield "doublings", figures.doublings(rows("caps"), *part.ids, lang)
    if part.contributions:
        yield "contributions", figures.contributions(part.contributions, lang)
    if days := rows("days", name):
        yield "days", payments.days(days, lang)
    for by in BASELINE_GROUPS:
        if found := part.groups(by):
            yield by, orders.groups(found, lang)
    if moves := rows("moves", name):
        yield "standings", orders.standings(moves, lang)


def _words() -> dict[str, dict[str, str]]:
    """What the page's script says."""
    return {
        lang: {name: texts()[f"report.{name}"][lang] for name in ("copied", "not_copied")}
        for lang in LANGUAGES
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
        shared,
        t=wording.say,
        a_hand=wording.a_hand,
        step_text=_both_steps,
        part_text=_both_parts,
        grid_value=_both_values,
        finding=FINDINGS,
        GROUPS=BASELINE_GROUPS,
        **HELPERS,
    )
    return environment


def _both_parts(part: str) -> wording.Both:
    return wording.Both(*(figures.part_text(part, lang) for lang in LANGUAGES))


def _both_values(value: object) -> wording.Both:
    return wording.Both(*(orders.value_text(value, lang) for lang in LANGUAGES))


def _both_steps(step: int) -> wording.Both:
    return wording.Both(*(figures.step_text(step, lang) for lang in LANGUAGES))
