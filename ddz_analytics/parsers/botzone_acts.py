"""The acts of a FightTheLandlord2 log: what counted, who acted, and what was sent where the judge replaced it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Action, Actor
from ddz_analytics.parsers.base import shaped
from ddz_analytics.parsers.botzone_cards import Card, cards_text
from ddz_analytics.parsers.botzone_log import NO_ERROR, Answer, Errors, Event, Log


def actions(log: Log) -> list[Action]:
    """The bids and plays that counted, in order."""
    return [*_bids(log), *_plays(log)]


def _bids(log: Log) -> Iterator[Action]:
    """Seat 0, 1, 2 once each; the answer to the bid of a seat stands just before the display that has it first."""
    refused = next(
        (step.display.errored for step in log.steps if step.display.errored is not UNSET), NO_ERROR
    )
    for seat, value in enumerate(log.bids):
        answers = next(step.answers for step in log.steps if len(step.display.bid or ()) > seat)
        actor: Actor | UnsetType = "judge" if answers is None and refused[seat] else UNSET
        if answers is not None:
            answer = answers.get(str(seat))
            actor = "judge" if answer is None else _bidder(answer, value)
        yield Action(seat=seat, act="bid", value=value, actor=actor)


def _plays(log: Log) -> Iterator[Action]:
    before = NO_ERROR
    for step in log.steps:
        now = step.display.errored if step.display.errored is not UNSET else before
        if step.display.event is not UNSET:
            yield _play(step.display.event, step.answers, before, now)
        before = now


def _bidder(answer: Answer, value: int) -> Actor | UnsetType:
    """Who bid: the player when his answer, a number or a text, is the bid that counted."""
    if answer.verdict == "TLE":
        return "timeout"
    return UNSET if answer.verdict == "OK" and _number(answer.response) == value else "judge"


def _number(response: Any) -> int | None:
    try:
        return int(response) if isinstance(response, int | str) else None
    except ValueError:
        return None


def _play(event: Event, answers: dict[str, Answer] | None, before: Errors, now: Errors) -> Action:
    seat, answer = event.player, (answers or {}).get(str(event.player))
    if answers and answer is None:
        raise BadRecord("out_of_range", f"the play is of seat {seat}, the answer of seat {'/'.join(answers)}")
    actor: Actor | UnsetType = UNSET
    if answer is not None:
        actor = _player_of(answer, event)
    elif answers is not None or before[seat]:
        actor = "judge"
    elif now[seat]:
        actor = "timeout" if str(now[seat]).endswith("TLE") else "judge"
    sent = _sent(answer.response) if answer is not None and actor is not UNSET else UNSET
    if event.action:
        return Action(seat=seat, act="play", cards=cards_text(event.action), actor=actor, sent=sent)
    return Action(seat=seat, act="pass", actor=actor, sent=sent)


def _player_of(answer: Answer, event: Event) -> Actor | UnsetType:
    """Who acted: the player when what he sent is what counted, in whatever order."""
    if answer.verdict == "TLE":
        return "timeout"
    counted = answer.verdict == "OK" and _cards_of(answer.response) == sorted(event.action)
    return UNSET if counted else "judge"


def _cards_of(response: Any) -> list[int] | None:
    """The card ids of an answer, sorted; None when it is no list of card ids."""
    try:
        return sorted(shaped(response, list[Card]))
    except BadRecord:
        return None


def _sent(response: Any) -> str | UnsetType:
    """What was sent, as cards where it is cards, else as JSON."""
    if isinstance(response, UnsetType):
        return UNSET
    cards = _cards_of(response)
    if cards is None:
        return json.dumps(response, ensure_ascii=False)
    return cards_text(cards) if cards else "pass"
