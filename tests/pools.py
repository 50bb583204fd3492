"""Generated hands that engine and oracle have both replayed, to be dealt again and again: to other players, with other balances.

What happened in a hand does not depend on who sat there, so that a few hundred hands make thousands of matches and sittings.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics.rules import load_rules, parameters
from tests.agreement import engine_replay, hands_of, oracle_replayed
from tests.generated import hands
from tests.oracle.auction import amount
from tests.oracle.names import Document, Row, Rules
from tests.oracle.settle import settle as oracle_settle

SCORED, ZERO, UNDEFINED = "scored", "zero", "undefined"
SMALL, LARGE = 160, 1600  # and fewer where rooms are too dear
THRESHOLD = 30  # of the rooms: what a double needs
HIGHEST = 100
RICH = [10**6] * 3
# What a document says of the hand itself; the rest says who played it, where and when.
_OF_THE_HAND = (
    "format", "id", "rules", "room", "wild", "dealt", "bottom", "first", "landlord", "actions", "outcome", "players", "balances",
)  # fmt: skip


class Pool(NamedTuple):
    """Some hands, the engine's facts of them, and what the oracle replayed."""

    documents: list[Document]
    facts: pa.Table
    said: list[Row]

    def kinds(self, rules: Rules) -> dict[str, list[int]]:
        """The places of hands with a score under a rule set (if all seats are rich), of zeros by rule, and of hands without a score."""
        found: dict[str, list[int]] = {SCORED: [], ZERO: [], UNDEFINED: []}
        for place, (document, said) in enumerate(zip(self.documents, self.said, strict=True)):
            settled = oracle_settle({**document, "balances": RICH}, said, rules)
            by_rule = ZERO if settled["reason"] else SCORED
            found[UNDEFINED if settled["score_status"] == "undefined" else by_rule].append(place)
        return found


class Dealt(NamedTuple):
    """A hand of a pool, by its place there, with another head."""

    place: int
    document: Document


@cache
def pool(recorded: str, number: int, seed: int) -> Pool:
    """So many hands of one rule set in rooms of small stakes."""
    rng = Random(f"pool {recorded} {seed}")
    drawn = [document for document in hands(recorded, number, seed) if is_low(document)]
    documents = [in_small_room(document, rng) for document in drawn]
    return Pool(documents, engine_replay(documents).facts, [oracle_replayed(each) for each in documents])


def is_low(document: Document) -> bool:
    """Whether a room's bids, where it tells them and where they were made, are a hundred points at most."""
    room = document.get("room", {})
    bids = [act["value"] for act in document["actions"] if act["act"] == "bid"]
    return all(amount(value) <= HIGHEST for value in (*bids, room.get("low", 0), room.get("high", 0)))


def in_small_room(document: Document, rng: Random) -> Document:
    """A hand where a point is worth one or two; of the room's values the same are told, and the bids stay what they were."""
    small = {
        "unit": rng.choice([1, 1, 2]), "rate": rng.choice([1, 1, 2]), "fee": rng.choice([0, 1, "0.5"]),
        "double_threshold": THRESHOLD,
    }  # fmt: skip
    room = document.get("room", {})
    hand = {key: value for key, value in document.items() if key in _OF_THE_HAND}
    return hand | {"room": room | {key: value for key, value in small.items() if key in room}}


def stored(pool: Pool, dealt: Sequence[Dealt]) -> dict[str, pa.Table]:
    """The tables `hands` (without actions) and `facts` of some hands; `hand_id` is their place in the list."""
    facts = pool.facts.take(pa.array([each.place for each in dealt], pa.int64()))
    ids = pa.array(np.arange(len(dealt)))
    return {
        "hands": hands_of([{**each.document, "actions": []} for each in dealt]),
        "facts": facts.set_column(facts.schema.get_field_index("hand_id"), "hand_id", ids),
    }


def rule_set_row(spec: str) -> Row:
    """A rule set as the store has it."""
    rules = load_rules(spec)
    said = json.dumps(parameters(rules))
    return {"rule_set": rules.id, "rule_hash": rules.rule_hash, "assumed": False, "parameters": said}
