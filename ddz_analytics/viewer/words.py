"""A hand's frames in words, in one language."""

from __future__ import annotations

from collections.abc import Iterator

from ddz_analytics.explain.explained import Heading
from ddz_analytics.explain.moments import by_whom, deed
from ddz_analytics.explain.record import Act
from ddz_analytics.locale import code_text, term, text, texts
from ddz_analytics.viewer.course import Course, Frame, Issue, Mark
from ddz_analytics.viewer.laid import grouped

_JOKERS = {"B": "small_joker", "R": "big_joker"}


def say(key: str, lang: str, **values: object) -> str:
    """A text of the viewer."""
    return text(f"viewer.{key}", lang, **values)


def rank_words(rank: str, lang: str) -> str:
    """A rank as card text has it, jokers by name."""
    return say(_JOKERS[rank], lang) if rank in _JOKERS else rank


def cards_words(cards: str, lang: str) -> str:
    """Card text by ranks: `3♠♥ 4♣`, or `33 4` without suits."""
    return " ".join(rank_words(rank, lang) + more for rank, more in grouped(cards))


def role_of(heading: Heading, seat: int) -> str | None:
    """The role of a seat: landlord, down or up; None without a landlord."""
    if heading.landlord_seat is None:
        return None
    return ("landlord", "down", "up")[(seat - heading.landlord_seat) % 3]


def role_words(heading: Heading, seat: int, lang: str) -> str:
    """What a seat is called by its role; its number without a landlord."""
    role = role_of(heading, seat)
    return text("explain.seat", lang, seat=seat) if role is None else term("role", role, lang)


def who(heading: Heading, seat: int, lang: str) -> str:
    """What a seat is called: its role, and its player where he is named."""
    role, name = role_words(heading, seat, lang), heading.seats[seat].player
    return say("by_name", lang, who=role, name=name) if name else role


def shape(act: Act, lang: str) -> str:
    """What a play is as a combination; empty where it is none."""
    if act.category is None:
        return ""
    if f"viewer.{act.category}" in texts():
        return say(act.category, lang, length=act.length)
    return term("category", act.category, lang)


def deed_words(act: Act, cards: str | None, lang: str) -> str:
    """What was done, without who did it; `cards`: what to write for those of a play."""
    if cards is None:
        return deed(act, lang)
    found = shape(act, lang)
    said = (
        say("plays", lang, cards=cards, shape=found) if found else say("plays_something", lang, cards=cards)
    )
    return said + by_whom(act, lang)


def mark_words(mark: Mark, lang: str) -> str:
    """That autoplay begins or ends."""
    if mark.what == "ends":
        return say("ends", lang, cards=mark.cards)
    return say("begins", lang, reason=say(f"reason_{mark.reason}", lang), cards=mark.cards)


def issue_words(issue: Issue, lang: str) -> str:
    """A fault or a note: its code and what it is; a note says that it is one."""
    return say("issue", lang, code=issue.code, words=code_text("issue", issue.code, "what", lang))


def sentence(course: Course, frame: Frame, lang: str) -> str:
    """What a frame shows."""
    if frame.kind == "deal":
        return say("gap", lang).join(opening_words(course, lang))
    if frame.seat is None:
        return say("gap", lang).join(say(key, lang) for key in course.ending)
    cards = None if frame.cards is None else cards_words(frame.cards, lang)
    said = say("takes_bottom", lang, cards=cards) if frame.act is None else deed_words(frame.act, cards, lang)
    return say("sentence", lang, who=who(course.heading, frame.seat, lang), deed=said)


def opening_words(course: Course, lang: str) -> Iterator[str]:
    """What there is to say of the deal, and what is not known of it."""
    if not course.is_told:
        yield say("no_course", lang)
        return
    yield say("dealt", lang)
    if course.heading.wild_rank is not None:
        yield say("wild", lang, rank=rank_words(course.heading.wild_rank, lang))
    if course.bottom_unknown:
        yield say("bottom_unknown", lang)
