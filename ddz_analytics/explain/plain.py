"""An explanation as plain text, with nothing in it that commands a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from ddz_analytics.answers.plain import inert
from ddz_analytics.explain.explained import (
    PARTIES,
    Explained,
    Explanation,
    Heading,
    Parting,
    PlacedStep,
    party_name,
)
from ddz_analytics.locale import term, text

_INDENT = "     "


def as_text(told: Explained) -> str:
    """The heading, each rule set's steps, and what parts two of them."""
    lines = [*heading_lines(told.hand, told.lang), *_seat_lines(told.hand, told.lang)]
    for explanation in told.explanations:
        lines += ["", *_explanation_lines(explanation, told)]
    if told.parting is not None:
        lines += ["", *parting_lines(told, told.parting)]
    return "\n".join(inert(line) for line in lines)


def heading_lines(hand: Heading, lang: str) -> list[str]:
    """Which hand it is and where it comes from, in two lines."""
    named = [text("explain.hand", lang, id=hand.hand_id)]
    for key in ("source_hand_id", "table_id", "hand_no", "match_id", "local_time"):
        value = getattr(hand, key)
        if value is not None:
            named.append(text(f"explain.{key}", lang, value=value))
    source = text(
        "explain.source", lang, path=hand.source_path, line=hand.source_line, format=hand.source_format
    )
    if hand.evidence != "replayed":
        source += text("explain.declared", lang)
    return [text("explain.gap", lang).join(named), source]


def status_line(explanation: Explanation, lang: str) -> str:
    """Whether the score is exact, projected and on what it rests, or undefined."""
    status = term("status", explanation.status, lang)
    if explanation.assumptions:
        assumed = text("explain.list", lang).join(each.words for each in explanation.assumptions)
        status = text("explain.rests_on", lang, status=status, assumed=assumed)
    if explanation.assumed_rules:
        status += text("explain.assumed_rules", lang)
    return status


def operation(step: PlacedStep) -> str:
    """Value before, operation, value after, as far as the step has them."""
    if not step.before:
        return step.after or step.operation
    plain = step.operation.startswith("×") and "→" not in step.operation
    return f"{step.before} {step.operation if plain else f'({step.operation})'} → {step.after}"


def title_line(explanation: Explanation, told: Explained) -> str:
    """The rule set with its hash, the scenario and the version."""
    scenario = text(f"explain.scenario_{explanation.scenario}", told.lang)
    head = f"{explanation.rule_set} {explanation.rule_hash}"
    version = text("explain.version", told.lang, version=told.version)
    return text("explain.gap", told.lang).join([head, explanation.title, scenario, version])


def _seat_lines(hand: Heading, lang: str) -> Iterator[str]:
    for party in PARTIES[:3]:
        yield party_name(hand, party, lang)


def _explanation_lines(explanation: Explanation, told: Explained) -> Iterator[str]:
    lang = told.lang
    yield title_line(explanation, told)
    yield status_line(explanation, lang)
    for number, step in enumerate(explanation.steps, start=1):
        yield from _step_lines(number, step, told)
    cited = {clause.id: clause for step in explanation.steps for clause in step.clauses}
    if cited:
        yield text("explain.clauses", lang)
    for clause in cited.values():
        yield _INDENT + text(
            "explain.clause", lang, page=clause.page, id=clause.id, heading=clause.heading, words=clause.words
        )


def _step_lines(number: int, step: PlacedStep, told: Explained) -> Iterator[str]:
    done, lang = operation(step), told.lang
    yield f"{number:>3}. {step.title}" + (f"{text('explain.colon', lang)}{done}" if done else "")
    yield _INDENT + step.words
    if step.moments:
        where = text("explain.list", lang).join(moment.words for moment in step.moments)
        yield _INDENT + text("explain.where", lang, where=where)
    if step.citation:
        yield _INDENT + text("explain.cited", lang, cited=step.citation)
    if step.parties is not None:
        yield _INDENT + _parties_line(step.parties, told)


def signed(amount: str) -> str:
    """An amount, a gain with its sign too."""
    return amount if amount == "0" or amount.startswith("-") else f"+{amount}"


def parting_lines(told: Explained, parting: Parting) -> Iterator[str]:
    """What each party has more under the second rule set, and the first step that differs."""
    one, other = (explanation.rule_set for explanation in told.explanations)
    if parting.change is not None:
        change = _parties_line(parting.change, told)
        yield text("explain.change", told.lang, one=one, other=other, change=change)
    if parting.first is None:
        yield text("explain.same", told.lang)
    else:
        yield text("explain.parts_at", told.lang, step=parting.first)


def _parties_line(amounts: dict[str, str], told: Explained) -> str:
    named = [f"{party_name(told.hand, party, told.lang)} {signed(amounts[party])}" for party in PARTIES]
    return text("explain.gap", told.lang).join(named)
