"""One hand on one page to print: self-contained HTML without a script, in which no text of a log can act.

The content security policy admits the page's own style by its hash and nothing else; nothing can be fetched.
"""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from ddz_analytics import pages
from ddz_analytics.explain.explained import PARTIES, Explained, ShownAct, party_name
from ddz_analytics.explain.plain import heading_lines, operation, parting_lines, signed, status_line
from ddz_analytics.locale import term, text

_TEMPLATES = Path(__file__).parent / "templates"
_PLAYED = ("play", "pass")


def as_sheet(told: Explained) -> bytes:
    """The page in the language that the hand is told in; UTF-8."""
    style = (_TEMPLATES / "sheet.css").read_text("utf-8")
    landlord = told.hand.landlord_seat or 0
    before, rounds = _course(told.acts, landlord)
    steps = [step for explanation in told.explanations for step in explanation.steps]
    page = _environment().get_template("sheet.html.j2").render(
        told=told,
        hand=told.hand,
        lang=told.lang,
        t=partial(_say, told.lang),
        role=partial(_role, told.lang),
        heading=heading_lines(told.hand, told.lang),
        seats=[told.hand.seats[(landlord + place) % 3] for place in range(3)],
        parties=[(party, party_name(told.hand, party, told.lang)) for party in PARTIES],
        clauses=list({clause.id: clause for step in steps for clause in step.clauses}.values()),
        before=before,
        rounds=rounds,
        policy=_policy(style),
        style=Markup(style),  # nosec: a file of the package
    )  # fmt: skip
    return page.encode()


def _course(acts: list[ShownAct], landlord: int) -> tuple[list[ShownAct], list[list[ShownAct | None]]]:
    """The acts before the first play, and the others in rounds of three places, counted from the landlord.

    A new round begins whenever the turn comes back to or before a place already taken; an act that is no play or pass has a round
    of its own.
    """
    first = next((place for place, act in enumerate(acts) if act.act in _PLAYED), len(acts))
    rounds: list[list[ShownAct | None]] = []
    filled = 3
    for act in acts[first:]:
        place = (act.seat - landlord) % 3
        if place < filled or act.act not in _PLAYED:
            rounds.append([None, None, None])
        rounds[-1][place] = act
        filled = place + 1 if act.act in _PLAYED else 3
    return acts[:first], rounds


def _say(lang: str, key: str, **values: object) -> str:
    return text(key, lang, **values)


def _role(lang: str, code: str | None) -> str:
    return "" if code is None else term("role", code, lang)


def _policy(style: str) -> str:
    return f"default-src 'none'; style-src {pages.hashes([style])}; base-uri 'none'; form-action 'none'"


@cache
def _environment() -> Environment:
    environment = pages.environment(_TEMPLATES)
    environment.globals.update(
        operation=operation, signed=signed, status_line=status_line, parting_lines=parting_lines
    )
    return environment
