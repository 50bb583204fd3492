"""Hands with a fault put in on purpose: it is found, at its place, and nothing else changes."""

from __future__ import annotations

from functools import cache
from itertools import cycle

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from ddz_analytics.parsers.ddz1 import Ddz1
from ddz_analytics.replay import Replayed, replay
from tests.agreement import disagreements_on_replay, engine_replay, hands_of, oracle_replayed, told
from tests.corruptions import CORRUPTIONS, Corruption, corrupted
from tests.legal import Planted, legal_hands
from tests.oracle.names import Document

EACH = 120  # corrupted hands of each of twenty-eight kinds: 3,360
ERRORS = {  # but for combination_unsupported, which needs a dialect that this format does not have
    "auction_after_end", "auction_act", "auction_turn", "bid_value", "bid_not_higher", "rob_without_call", "call_twice",
    "auction_incomplete", "landlord_mismatch", "first_not_opener", "act_order", "open_twice", "double_twice", "kick_twice",
    "act_during_play", "after_end", "turn", "pass_on_lead", "cards_not_held", "illegal_combination", "declared_reading",
    "does_not_beat", "play_without_landlord", "outcome_mismatch", "escape_missing",
}  # fmt: skip


@cache
def legal() -> list[Document]:
    return legal_hands(400, seed=1)


@cache
def hands_with(corruption: Corruption) -> list[tuple[Document, Planted]]:
    return corrupted(corruption, legal(), EACH)


@cache
def all_corrupted() -> list[Document]:
    return [document for corruption in CORRUPTIONS for document, _ in hands_with(corruption)]


def replayed(hands: pa.Table, sizes: list[int]) -> Replayed:
    """The replay of some hands in batches of these sizes, the last of them over and over."""
    pieces: list[Replayed] = []
    begin = 0
    while begin < len(hands):
        size = sizes[min(len(pieces), len(sizes) - 1)]
        pieces.append(replay(hands.slice(begin, size), {"ddz/1": Ddz1()}))
        begin += size
    return Replayed(*(pa.concat_tables(tables) for tables in zip(*pieces, strict=True)))


@pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda corruption: corruption.__name__)
def test_a_fault_is_found_where_it_is(corruption: Corruption) -> None:
    """Engine and oracle report the same faults at the same places, and the one that was put in is among them."""
    hands = hands_with(corruption)
    documents = [document for document, _ in hands]
    said = [oracle_replayed(document) for document in documents]
    result = engine_replay(documents)
    found = disagreements_on_replay(documents, result, said)
    assert not found, told(found)
    issues = {
        tuple(row.values())
        for row in result.issues.select(["hand_id", "code", "severity", "action_index", "seat"]).to_pylist()
    }
    missed = [
        place
        for place, (_, (code, index, seat)) in enumerate(hands)
        if (place, code, "error", index, seat) not in issues
    ]
    assert not missed, (hands[missed[0]][1], documents[missed[0]])
    assert result.facts["replay_status"].to_pylist() == ["faulty"] * EACH


def test_every_error_was_put_in() -> None:
    """Each code of an error has a corruption that leads to it."""
    assert {planted.code for corruption in CORRUPTIONS for _, planted in hands_with(corruption)} == ERRORS
    assert len(all_corrupted()) >= 3000


def test_a_faulty_hand_changes_nothing_of_its_neighbours() -> None:
    """The legal hands of a batch come out as they do without faulty hands between them."""
    neighbours = [document for document, _ in zip(cycle(legal()), all_corrupted(), strict=False)]
    mixed = engine_replay(
        [document for pair in zip(all_corrupted(), neighbours, strict=True) for document in pair]
    )
    alone = engine_replay(neighbours)
    for name, table in mixed._asdict().items():
        kept = table.filter(pc.equal(pc.bit_wise_and(table["hand_id"], 1), 1))
        ids = kept["hand_id"].combine_chunks().to_numpy() // 2
        assert kept.set_column(0, "hand_id", pa.array(ids)).equals(getattr(alone, name)), name


@pytest.mark.parametrize("sizes", [[29], [100], [999], [1, 2, 3, 5000]], ids=str)
def test_batches_do_not_matter(sizes: list[int]) -> None:
    """However hands are put into batches, the same comes of them."""
    hands = hands_of(all_corrupted() + legal())
    whole, pieces = replayed(hands, [len(hands)]), replayed(hands, sizes)
    assert all(one.equals(other) for one, other in zip(whole, pieces, strict=True))


def test_a_batch_says_of_each_hand_what_it_says_of_it_alone() -> None:
    """A hand replayed alone has the facts, plays, issues and episodes that it has among others."""
    chosen = np.arange(0, len(all_corrupted()), 13)
    hands = hands_of([all_corrupted()[place] for place in chosen])
    whole, single = replayed(hands, [len(hands)]), replayed(hands, [1])
    assert all(one.equals(other) for one, other in zip(whole, single, strict=True))
