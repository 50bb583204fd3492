"""Where in the hand a step comes from: the acts that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from msgspec import Struct, structs

from ddz_analytics.cards import RANKS
from ddz_analytics.combinations import Reading
from ddz_analytics.explain.given import columns_behind, told_columns
from ddz_analytics.explain.hand import PEASANTS
from ddz_analytics.explain.record import Act, Record
from ddz_analytics.explain.stakes import counted_openers
from ddz_analytics.locale import code_text, text
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.auction import MOST_ROBS
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.wilds import needs_wild

_SPOKEN = ("bid", "call", "rob", "decline")
_BOMBS = ("bomb", "bomb_soft", "bomb_hard", "bomb_pure")
_KINDS = {"soft": ("bomb_soft",), "hard": ("bomb", "bomb_hard"), "pure": ("bomb_pure",)}


class Moment(Struct, frozen=True, omit_defaults=True):
    """One act that a step rests on, in words; `action_index` is its place in the log, counted from 0.

    Of declared facts, of which no acts are known, one `column` of the row that says it.
    """

    action_index: int | None
    seat: int | None
    words: str
    column: str | None = None


def moments(concept: str, reason: str | None, record: Record, rules: RuleSet, lang: str) -> list[Moment]:
    """The acts on which a step rests, in their order; none for what happens beside the cards, such as a fee.

    Of declared facts the columns on which it rests.

    `concept`: as in `WorkedStep`; `reason`: why the hand has no score, if it has none.
    """
    if record.head["evidence"] == "declared":
        names = columns_behind(concept, reason, record, rules)
        said = told_columns(names, record, lang)
        return [Moment(None, None, words, name) for name, words in zip(names, said, strict=True)]
    if reason is not None:
        return _of_reason(reason, record, lang)
    if concept == "liability":
        return _of_autoplay(record, rules, lang)
    rest_on = _RESTS_ON.get(concept)
    return [] if rest_on is None else [moment(act, lang) for act in rest_on(record, rules)]


def moment(act: Act, lang: str) -> Moment:
    """An act in words."""
    return _placed(act.action_index, act.seat, deed(act, lang), lang)


def deed(act: Act, lang: str) -> str:
    """What was done, without who did it."""
    value = "" if act.value is None else f"{act.value.normalize():f}"
    key = act.act
    if act.act in ("bid", "double", "kick", "autoplay") and act.value is not None:
        key = f"{act.act}_no" if act.value == (1 if act.act == "double" else 0) else act.act
    if act.act == "open" and act.stage is not None:
        key = f"open_{act.stage}"
    said = text(f"moment.{key}", lang, value=value, cards=act.cards or "")
    if act.dealt_so_far is not None:
        said += text("moment.dealt_so_far", lang, cards=act.dealt_so_far)
    if act.act == "open" and act.value is not None:
        said += text("moment.factor", lang, value=value)
    return said + by_whom(act, lang)


def played(act: Act, lang: str) -> str:
    """An act in few letters: of a play its cards."""
    return (act.cards or "") + by_whom(act, lang) if act.act == "play" else deed(act, lang)


def by_whom(act: Act, lang: str) -> str:
    """Who acted for the seat, if the seat did not; empty if it did."""
    return "" if act.actor in (None, "player") else text(f"moment.by_{act.actor}", lang)


def _placed(index: int, seat: int, said: str, lang: str) -> Moment:
    who = text("moment.seat", lang, seat=seat)
    return Moment(index, seat, text("moment.at", lang, index=index, seat=who, deed=said))


def _spoken(record: Record, *acts: str) -> list[Act]:
    """The positive words of the auction."""
    return [act for act in record.acts if act.act in acts and act.value != 0]


def _bid(record: Record, rules: RuleSet) -> list[Act]:
    """The winning bid, or the calls, robs and refusals from which the bid follows."""
    fact = record.fact
    if fact["nobody_bid"]:
        return [act for act in record.acts if act.act in _SPOKEN]
    robs, bids = _spoken(record, "rob"), _spoken(record, "bid")
    if fact["auction_kind"] == "rob":
        return _spoken(record, "call", "rob")
    winning = [act for act in bids if act.value == fact["bid"]]
    return robs or winning[-1:]


def _robs(record: Record, rules: RuleSet) -> list[Act]:
    if record.fact["auction_kind"] == "rob":
        return _spoken(record, "rob")
    return _spoken(record, "bid")[1:][:MOST_ROBS] if record.fact["raises"] else []


def _openings(record: Record, rules: RuleSet) -> list[Act]:
    """The openings that give the largest factor."""
    stages = {
        record.seat_of(role): stage for role, stage in counted_openers(Facts(record.facts), rules).items()
    }
    return [act for act in record.acts if act.act == "open" and act.stage == stages.get(act.seat, "")]


def _bombs(record: Record, rules: RuleSet) -> list[Act]:
    counted = (*_BOMBS, "rocket") if rules.events_bomb_counts_rocket else _BOMBS
    return [act for act in record.acts if act.category in counted]


def _of_categories(*categories: str) -> Callable[[Record, RuleSet], list[Act]]:
    return lambda record, rules: [act for act in record.acts if act.category in categories]


def _last_play(record: Record, rules: RuleSet) -> list[Act]:
    """The play with which somebody was out."""
    return [act for act in record.acts if act.act == "play" and act.cards_left_after == 0][:1]


def _anti_spring(record: Record, rules: RuleSet) -> list[Act]:
    """The landlord's only play, and the one with which a peasant was out."""
    landlord = record.head["landlord_seat"]
    only = [act for act in record.acts if act.act == "play" and act.seat == landlord]
    return [*only, *_last_play(record, rules)]


def _pair(role: str) -> Callable[[Record, RuleSet], list[Act]]:
    def found(record: Record, rules: RuleSet) -> list[Act]:
        peasant, landlord = record.seat_of(role), record.seat_of("landlord")
        doubles = [
            act
            for act in record.acts
            if act.act == "double" and act.seat in (peasant, landlord) and act.value != 1
        ]
        kicks = [
            act
            for act in record.acts
            if act.act == "kick" and act.seat == peasant and act.value != Decimal(0)
        ]
        return [*(doubles if rules.double_factor != 1 else ()), *(kicks if rules.kick_factor != 1 else ())]

    return found


def _escape(record: Record, rules: RuleSet) -> list[Act]:
    return [act for act in record.acts if act.act == "escape"][:1]


_RESTS_ON: dict[str, Callable[[Record, RuleSet], Sequence[Act]]] = {
    "bid": _bid,
    "robs": _robs,
    "opening": _openings,
    "bombs": _bombs,
    **{kind: _of_categories(*categories) for kind, categories in _KINDS.items()},
    "rockets": _of_categories("rocket"),
    "spring": _last_play,
    "anti_spring": _anti_spring,
    **{f"pair_{role}": _pair(role) for role in PEASANTS},
    "transfer": _last_play,
    "fine": _escape,
}


def _of_autoplay(record: Record, rules: RuleSet, lang: str) -> list[Moment]:
    """Where the autoplay of peasants began that the policy looks at: the episode still running, or all of them."""
    found = []
    for role in PEASANTS:
        episodes = [episode for episode in record.episodes if episode.seat == record.seat_of(role)]
        if rules.liability_status == "at_end":
            episodes = episodes[-1:] if record.fact[f"{role}_autoplay"] else []
        for episode in episodes:
            said = text(f"moment.autoplay_{episode.reason}", lang, cards=episode.cards_at_start)
            found.append(_placed(episode.start_index, episode.seat, said, lang))
    return sorted(found, key=lambda placed: (placed.action_index, placed.seat))


def _of_reason(reason: str, record: Record, lang: str) -> list[Moment]:
    if reason == "faulty":
        return list(_of_errors(record, lang))
    acts: list[Act] = []
    if reason in ("thrown_in", "forced_landlord"):
        acts = [act for act in record.acts if act.act in _SPOKEN]
    elif reason == "escaped":
        acts = [act for act in record.acts if act.act == "escape"]
    elif reason == "unfinished":
        acts = record.acts[-1:]
    elif reason == "needs_wild":
        acts = [act for act in record.acts if _needs_wild(act)]
    return [moment(act, lang) for act in acts]


def _of_errors(record: Record, lang: str) -> Iterator[Moment]:
    by_index = {act.action_index: act for act in record.acts}
    for error in record.errors:
        act = by_index.get(error["action_index"])
        if act is not None:
            told, code = moment(act, lang), error["code"]
            what = code_text("issue", code, "name", lang)
            words = text("moment.fault", lang, moment=told.words, code=code, what=what)
            yield structs.replace(told, words=words)


def _needs_wild(act: Act) -> bool:
    """Whether a play's reading is none that its cards have at face value."""
    if act.category is None or act.length is None or act.cards is None or act.category == "rocket":
        return False
    reading = Reading(act.category, act.length, RANKS.index(act.main_rank or ""))
    counts = sum(act.cards.count(rank) << 4 * place for place, rank in enumerate(RANKS))
    return needs_wild(reading, counts)
