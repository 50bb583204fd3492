"""Engine and oracle side by side: what each says of the same hand, in one shape."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ddz_analytics.cards import text_of
from ddz_analytics.combinations import CATEGORIES
from ddz_analytics.hands import Hand, Located
from ddz_analytics.parsers.ddz1 import Ddz1, read_line
from ddz_analytics.columns import from_amounts
from ddz_analytics.replay import Replayed, replay
from ddz_analytics.rules import load_rules
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.assumptions import CODES
from ddz_analytics.settlement.settle import settle
from ddz_analytics.tabulate import hands_table
from tests.oracle.replay import replay as oracle_replay
from tests.oracle.rulesets import COMPLETE, load
from tests.oracle.settle import settle as oracle_settle

HAND_KEYS = (
    "replay_status", "winner_seat", "auction_kind", "auction_forced", "raises", "robs", "open_multiplier", "bombs", "rockets",
    "escaped_seat", "escape_stage",
)  # fmt: skip
SEAT_KEYS = (
    "plays", "bombs", "cards_left", "autoplay_ever", "bid", "robbed", "could_bid", "could_rob", "could_double", "could_kick",
    "auction_turn", "kicked",
)  # fmt: skip

Document = dict[str, Any]
NOT_YET = {"escape.kind": "undefined"}  # escapes have no rule in the engine yet


def hand_of(document: Document) -> Hand:
    """The hand that a `ddz/1` document tells."""
    return read_line(json.dumps(document).encode())


def engine_replay(documents: Sequence[Document]) -> Replayed:
    """The engine's replay of some documents; `hand_id` is their place."""
    located = [Located(hand_of(document), place, b"") for place, document in enumerate(documents)]
    table, rejected = hands_table(located, Ddz1(), "test")
    assert not rejected, rejected
    table = table.set_column(0, "hand_id", pa.array(np.arange(len(documents))))
    return replay(table, {"ddz/1": Ddz1()})


def engine_views(documents: Sequence[Document]) -> list[Document]:
    """What the engine says of each document."""
    replayed = engine_replay(documents)
    views = [_facts_view(row) for row in replayed.facts.to_pylist()]
    for row in replayed.issues.to_pylist():
        views[row["hand_id"]]["issues"].append((row["code"], row["severity"], row["action_index"], row["seat"]))
    for row in replayed.episodes.to_pylist():
        keys = ("start_index", "end_index", "cards_at_start", "cards_at_end", "reason")
        views[row["hand_id"]]["episodes"].append((row["seat"], *(row[key] for key in keys)))
    for row in replayed.plays.to_pylist():
        keys = ("play_index", "action_index", "reread", "seat", "length", "main_rank", "is_lead", "trick", "cards_left_after")
        category = None if row["category"] is None else CATEGORIES[row["category"]]
        views[row["hand_id"]]["plays"].append((category, *(row[key] for key in keys)))
    for view in views:
        view["issues"].sort(key=repr)
        view["episodes"].sort()
    return views


def _facts_view(row: Document) -> Document:
    landlord = row["landlord_seat"]
    seats: list[Document] = [{}, {}, {}]
    for place, role in enumerate(ROLES):
        seat = ((landlord or 0) + place) % 3
        seats[seat] = {key: row[f"{role}_{key}"] for key in SEAT_KEYS}
        seats[seat]["autoplay_at_end"] = row[f"{role}_autoplay"]
        seats[seat]["autoplay_started_with"] = row[f"{role}_autoplay_cards"]
        seats[seat]["doubled"] = row[f"{role}_doubled"]
        stage = row[f"{role}_open_stage"]
        seats[seat]["opened"] = stage is not None and (stage != "bottom" or seat == landlord)
    bid = row["bid"]
    view = {key: row[key] for key in HAND_KEYS} | {"bid": None if bid is None else float(bid), "seats": seats}
    return view | {"issues": [], "episodes": [], "plays": []}


AMOUNTS = ("unit", "cap_amount", "stake_down", "stake_up", "house_rake", "house_fee", "house_forfeit", "house_fine", "house_net")
COUNTS = (
    "auction_multiplier", "event_multiplier", "doublings_uncapped", "doublings", "cap_bites", "pair_multiplier_down",
    "pair_multiplier_up", "score_status", "reason",
)  # fmt: skip
COMPONENTS = ("transfer", "liability", "balance_cut", "fee", "rake", "fine")


def engine_settlements(facts: pa.Table, rules: str) -> list[Document]:
    """The engine's settlements of some facts under one rule set, amounts in 1/10,000."""
    table = settle(facts, load_rules(rules))
    amounts = [*AMOUNTS, "bid", *(f"{c}_{role}" for c in (*COMPONENTS, "net") for role in ROLES)]
    columns = {name: table[name].to_pylist() for name in (*COUNTS, "assumed")}
    for name in amounts:
        there = table[name].is_valid().to_pylist()
        columns[name] = [value if ok else None for value, ok in zip(from_amounts(table[name]).tolist(), there, strict=True)]
    for role in ROLES:
        columns[f"liable_{role}"] = table[f"liable_{role}"].to_pylist()
        columns[f"refused_{role}"] = table[f"double_refused_{role}"].to_pylist()
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for row in rows:
        bits = row.pop("assumed")
        row["assumptions"] = sorted(code for place, code in enumerate(CODES) if bits >> place & 1)
    return rows


def oracle_settlement(document: Document, rules: str) -> Document:
    """The oracle's settlement of one document, in the same shape."""
    said = oracle_settle(document, oracle_replayed(document), load(rules) | NOT_YET)
    row: Document = {key: said[key] for key in (*AMOUNTS, *COUNTS)}
    row["bid"] = None if said["bid"] is None else round(said["bid"] * 10_000)
    for place, role in enumerate(ROLES):
        for component in COMPONENTS:
            row[f"{component}_{role}"] = said[role][component]
        row[f"net_{role}"] = said[role]["score"]
        row[f"liable_{role}"] = said["liable"][role]
        seat = ((document["landlord"] or 0) + place) % 3
        refused = [reason for refused, what, reason in said["refusals"] if (refused, what) == (seat, "double")]
        row[f"refused_{role}"] = refused[0] if refused else None
    return row | {"assumptions": sorted(said["assumptions"])}


def oracle_replayed(document: Document) -> Document:
    """The oracle's own replay of one document."""
    rules = load(document["rules"]) if document.get("rules") in COMPLETE else None
    return oracle_replay(document, rules)


def oracle_view(document: Document) -> Document:
    """What the oracle says of one document."""
    said = oracle_replayed(document)
    seats = []
    for seat in said["seats"]:
        view = {key: seat[key] for key in (*SEAT_KEYS, "autoplay_at_end", "autoplay_started_with", "opened")}
        seats.append(view | {"doubled": seat["double_value"]})
    keys = ("play_index", "action_index", "reread", "seat", "length", "main_rank", "is_lead", "trick", "cards_left_after")
    episode_keys = ("start_index", "end_index", "cards_at_start", "cards_at_end", "reason")
    return {key: said[key] for key in HAND_KEYS} | {
        "bid": None if said["bid"] is None else float(said["bid"]),
        "seats": seats,
        "issues": sorted(said["issues"], key=repr),
        "episodes": sorted((e["seat"], *(e[key] for key in episode_keys)) for e in said["episodes"]),
        "plays": [(play["category"], *(play[key] for key in keys)) for play in said["plays"]],
    }


def differences(engine: Document, oracle: Document) -> list[str]:
    """Where the two disagree, in words."""
    return [f"{key}: engine {engine[key]} oracle {oracle[key]}" for key in oracle if engine[key] != oracle[key]]
