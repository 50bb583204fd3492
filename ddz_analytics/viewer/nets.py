"""What is played for, and what everybody has in the end, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from ddz_analytics.answers.plain import inert
from ddz_analytics.explain.plain import signed
from ddz_analytics.locale import term, text
from ddz_analytics.viewer.coloured import BOLD, DIM, Coloured, plain, styled
from ddz_analytics.viewer.course import Course
from ddz_analytics.viewer.running import PARTIES, Run, SoFar
from ddz_analytics.viewer.words import say, who

SIGNS = "AB"  # what the rule sets are called in the columns
_GAP = 2


def stake_text(so_far: SoFar | None) -> str:
    """The multiplier and what each peasant plays for, both where they differ; marked where a cap has cut it."""
    if so_far is None:
        return ""
    stakes = "/".join(dict.fromkeys(so_far.stakes))
    return f"×{so_far.multiplier} {stakes}" + ("!" if so_far.capped else "")


def status_words(run: Run, lang: str) -> str:
    """Whether the score is exact, projected and on what it rests, or why there is none; and whether a cap has cut it."""
    words = term("status", run.status, lang)
    if run.reason is not None:
        words += text("explain.colon", lang) + term("reason", run.reason, lang)
    if run.assumptions:
        assumed = text("explain.list", lang).join(term("assumption", code, lang) for code in run.assumptions)
        words = text("explain.rests_on", lang, status=words, assumed=assumed)
    return words + (say("capped", lang) if run.cap_bites else "")


def change_of(runs: Sequence[Run]) -> dict[str, str] | None:
    """What each party has more under the second of two rule sets; None where one of them has no score."""
    nets = [run.net for run in runs if run.net is not None]
    if len(runs) != 2 or len(nets) != 2:
        return None
    return {
        party: f"{(Decimal(nets[1][party]) - Decimal(nets[0][party])).normalize():f}" for party in PARTIES
    }


def net_lines(course: Course, runs: Sequence[Run], lang: str) -> Iterator[Coloured]:
    """A table of what each party has under each rule set, and of the change between two."""
    landlord = course.heading.landlord_seat or 0
    names = [inert(who(course.heading, (landlord + place) % 3, lang)) for place in range(3)]
    names = ["", *names, term("role", "house", lang)]
    columns = [_column(sign, run.net, lang) for sign, run in zip(SIGNS, runs, strict=False)]
    if (change := change_of(runs)) is not None:
        columns.append(_column(say("change", lang), change, lang))
    first = max(plain(name).width for name in names) + _GAP
    widths = [max(plain(cell).width for cell in column) + _GAP for column in columns]
    for number, (name, *cells) in enumerate(zip(names, *columns, strict=True)):
        line = plain(name).filled(first)
        for cell, width in zip(cells, widths, strict=True):
            line += styled(cell, BOLD if number else DIM).at_right(width)
        yield line


def _column(head: str, amounts: dict[str, str] | None, lang: str) -> list[str]:
    if amounts is None:
        return [head, *[say("nothing", lang)] * len(PARTIES)]
    return [head, *(signed(amounts[party]) for party in PARTIES)]
