"""Engine and oracle side by side: what each makes of the same hands, in one shape, and where the two disagree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics.cards import text_of
from ddz_analytics.combinations import CATEGORIES
from ddz_analytics.hands import Hand, Located
from ddz_analytics.parsers.ddz1 import Ddz1, read_line
from ddz_analytics.replay import Replayed, replay
from ddz_analytics.schema import ROLES
from ddz_analytics.tabulate import hands_table
from tests.oracle.before_play import offers
from tests.oracle.names import Document, Row, Rules
from tests.oracle.replay import replay as oracle_replay
from tests.oracle.rulesets import COMPLETE, DEFAULTS, OVERLAYS, complete

HAND_KEYS = (
    "replay_status", "winner_seat", "auction_kind", "auction_forced", "raises", "robs", "open_multiplier", "bombs", "rockets",
    "escaped_seat", "escape_stage", "soft_bombs", "hard_bombs", "pure_bombs", "needs_wild",
)  # fmt: skip
SETTLING_KEYS = {
    "nobody_bid": "nobody_bid", "first_seat": "first_speaker", "first_opener_seat": "first_opener",
}  # fmt: skip
SEAT_KEYS = (
    "plays", "bombs", "cards_left", "autoplay_ever", "bid", "robbed", "could_bid", "could_rob", "could_double", "could_kick",
    "auction_turn", "kicked",
)  # fmt: skip
PLAY_KEYS = (
    "play_index",
    "action_index",
    "reread",
    "seat",
    "length",
    "main_rank",
    "is_lead",
    "trick",
    "cards_left_after",
)
EPISODE_KEYS = ("start_index", "end_index", "cards_at_start", "cards_at_end", "reason")
ROOM_KEYS = ("unit", "low", "high", "rate", "fee", "double_threshold")
OFFERED = ("open", "double", "kick")


class Disagreement(NamedTuple):
    """A hand on which the two differ, and in what."""

    document: Document
    words: str


def hand_of(document: Document) -> Hand:
    """The hand that a `ddz/1` document tells."""
    return read_line(json.dumps(document).encode())


def hands_of(documents: Sequence[Document]) -> pa.Table:
    """The rows of the `hands` table of some documents; `hand_id` is their place."""
    located = [Located(hand_of(document), place, b"") for place, document in enumerate(documents)]
    table, rejected = hands_table(located, Ddz1(), "test")
    assert not rejected, rejected
    return table.set_column(0, "hand_id", pa.array(np.arange(len(documents))))


def engine_replay(documents: Sequence[Document]) -> Replayed:
    """The engine's replay of some documents."""
    return replay(hands_of(documents), {"ddz/1": Ddz1()})


def engine_views(replayed: Replayed) -> list[Row]:
    """What the engine says of each hand."""
    views = [_facts_view(row) for row in replayed.facts.to_pylist()]
    for row in replayed.issues.to_pylist():
        views[row["hand_id"]]["issues"].append(
            (row["code"], row["severity"], row["action_index"], row["seat"])
        )
    for row in replayed.episodes.to_pylist():
        views[row["hand_id"]]["episodes"].append((row["seat"], *(row[key] for key in EPISODE_KEYS)))
    for row in replayed.plays.to_pylist():
        category = None if row["category"] is None else CATEGORIES[row["category"]]
        play = (category, text_of(row["cards"]), *(row[key] for key in PLAY_KEYS))
        views[row["hand_id"]]["plays"].append(play)
    for view in views:
        view["issues"].sort(key=repr)
        view["episodes"].sort()
    return views


def _facts_view(row: Row) -> Row:
    landlord = row["landlord_seat"]
    seats: list[Row] = [{}, {}, {}]
    for place, role in enumerate(ROLES):
        seat = ((landlord or 0) + place) % 3
        seats[seat] = {key: row[f"{role}_{key}"] for key in SEAT_KEYS}
        stage = row[f"{role}_open_stage"]
        seats[seat] |= {
            "autoplay_at_end": row[f"{role}_autoplay"],
            "autoplay_started_with": row[f"{role}_autoplay_cards"],
            "autoplay_cards_at_end": row[f"{role}_autoplay_cards_at_end"],
            "autoplay_most_cards": row[f"{role}_autoplay_most_cards"],
            "doubled": row[f"{role}_doubled"],
            "opened": stage is not None and (stage != "bottom" or seat == landlord),
            "balance": _fraction(row[f"{role}_balance"]),
        }
    view = {
        key: row[key] for key in (*HAND_KEYS, *SETTLING_KEYS, "auction_silent", "reread", "first_rotates")
    }
    view |= {f"{act}_offered": row[f"{act}_offered"] for act in OFFERED}
    view |= {f"room_{key}": _fraction(row[f"room_{key}"]) for key in ROOM_KEYS}
    return view | {"bid": _fraction(row["bid"]), "seats": seats, "issues": [], "episodes": [], "plays": []}


def _fraction(value: Any) -> Fraction | None:
    return None if value is None else Fraction(value)


def oracle_replayed(document: Document) -> Row:
    """The oracle's own replay of one document; it knows the shipped rule sets by name."""
    return oracle_replay(document, recorded_rules(document))


def recorded_rules(document: Document) -> Rules | None:
    """The rules that a document names, as the oracle knows them; a variant of a shipped rule set too."""
    name = document.get("rules")
    return oracle_rules(name) if name is not None and name.partition("[")[0] in COMPLETE else None


def oracle_view(document: Document, said: Row) -> Row:
    """What the oracle says of one document that it replayed."""
    seats, settling, rules = [], said["for_settling"], recorded_rules(document)
    balances = document.get("balances", [None] * 3)
    for seat, balance in zip(said["seats"], balances, strict=True):
        view = {key: seat[key] for key in (*SEAT_KEYS, "autoplay_at_end", "autoplay_started_with", "opened")}
        view |= {"doubled": seat["double_value"], "balance": _fraction(balance)}
        view["autoplay_cards_at_end"] = seat["cards_left"] if seat["autoplay_at_end"] else None
        view["autoplay_most_cards"] = max(seat["autoplay_cards"], default=None)
        seats.append(view)
    view = {key: said[key] for key in HAND_KEYS} | {
        key: settling[name] for key, name in SETTLING_KEYS.items()
    }
    room = document.get("room", {})
    view |= {f"room_{key}": _fraction(room.get(key)) for key in ROOM_KEYS}
    view |= {
        f"{act}_offered": rules is None or offers(rules, act) or settling["seen"][act] > 0 for act in OFFERED
    }
    return view | {
        "auction_silent": settling["auction_acts"] == 0,
        "first_rotates": rules is not None and rules["auction.rotates"],
        "reread": any(play["reread"] for play in said["plays"]),
        "bid": _fraction(said["bid"]),
        "seats": seats,
        "issues": sorted(said["issues"], key=repr),
        "episodes": sorted((e["seat"], *(e[key] for key in EPISODE_KEYS)) for e in said["episodes"]),
        "plays": [(p["category"], p["cards"], *(p[key] for key in PLAY_KEYS)) for p in said["plays"]],
    }


def differences(engine: Row, oracle: Row) -> list[str]:
    """Where two views differ, in words; of lists only what stands in one of them."""
    assert engine.keys() == oracle.keys()
    words = []
    for key in oracle:
        mine, other = engine[key], oracle[key]
        if mine == other:
            continue
        if isinstance(mine, list):
            mine, other = (
                [x for x in mine if x not in oracle[key]],
                [x for x in other if x not in engine[key]],
            )
        words.append(f"{key}: engine {mine} oracle {other}")
    return words


def disagreements_on_replay(
    documents: Sequence[Document], replayed: Replayed, said: Sequence[Row]
) -> list[Disagreement]:
    """The hands that the two replay in different ways; `said` is what the oracle made of them."""
    found = []
    for document, engine, oracle in zip(documents, engine_views(replayed), said, strict=True):
        words = differences(engine, oracle_view(document, oracle))
        found += [Disagreement(document, "; ".join(words))] if words else []
    return found


@cache
def oracle_rules(spec: str) -> Rules:
    """The oracle's rule set of a spec: `id`, `id+overlay`, each with `[key=value,…]` behind."""
    names, _, settings = spec.rstrip("]").partition("[")
    name, *overlays = names.split("+")
    rules = dict(COMPLETE[name])
    for overlay in overlays:
        rules |= OVERLAYS[overlay]
    for setting in filter(None, settings.split(",")):
        key, _, text = setting.partition("=")
        rules[key] = _value(key, text)
    return complete(rules)


def _value(key: str, text: str) -> object:
    if key == "cap.counts":
        return tuple(text.split(":"))
    words: dict[str, object] = {
        "true": True,
        "false": False,
        "none": "none" if isinstance(DEFAULTS[key], str) else None,
    }
    return words.get(text, int(text) if text.isdigit() else text)


def told(found: Sequence[Disagreement]) -> str:
    """The disagreements in words: how many, and the smallest hand as a line of `ddz/1`."""
    least = min(found, key=lambda each: len(json.dumps(each.document)), default=None)
    if least is None:
        return "no disagreement"
    return f"{len(found)} disagreements, the smallest: {least.words[:2000]}\n{json.dumps(least.document)}"
