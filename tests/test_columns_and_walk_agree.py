"""Ordinary hands are replayed by columns, the others act by act: both ways say the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import numpy as np
import pyarrow as pa
import pytest

from ddz_analytics.batches.batch import Batch, read_batch
from ddz_analytics.batches.course import Course
from ddz_analytics.columns import Flags
from ddz_analytics.parsers.ddz1 import Ddz1
from ddz_analytics.replay import Replayed, play_batch, replay
from ddz_analytics.rules import load_rules
from ddz_analytics.simulate import simulate
from tests.agreement import hands_of
from tests.corruptions import CORRUPTIONS, corrupted
from tests.generated import RECORDED, hands
from tests.legal import legal_hands
from tests.oracle.names import Document

FORMATS = {"ddz/1": Ddz1()}
HANDS = 1000
WILD_RANKS = "3456789TJQKA2"
MOST = 0.5  # at least so many of them are ordinary


def every_hand(batch: Batch, course: Course) -> Flags:
    """In the place of `not_ordinary`: no hand is."""
    return np.ones(len(batch), dtype=bool)


def both_ways(
    documents: Sequence[Document], monkeypatch: pytest.MonkeyPatch
) -> tuple[Replayed, Replayed, pa.Table]:
    """The replay as it is, the replay with every hand walked through, and the hands."""
    table = hands_of(documents)
    usual = replay(table, FORMATS)
    monkeypatch.setattr("ddz_analytics.replay.not_ordinary", every_hand)
    return usual, replay(table, FORMATS), table


@pytest.mark.parametrize("recorded", RECORDED)
def test_columns_and_walk_agree(recorded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays, leads, tricks, readings, cards left and all that follows are the same whether hands are walked through or not."""
    documents = hands(recorded, HANDS, seed=2)
    usual, walked, table = both_ways(documents, monkeypatch)
    for name, one, other in zip(Replayed._fields, usual, walked, strict=True):
        assert one.equals(other), name
    monkeypatch.undo()
    assert np.count_nonzero(~walks(table)) > MOST * HANDS


def walks(table: pa.Table) -> Flags:
    """Which hands are walked through."""
    batch = read_batch(table, FORMATS)
    course = play_batch(batch)
    flags = np.zeros(len(batch), dtype=bool)
    flags[list(course.walked)] = True
    return flags


def test_no_faulty_hand_escapes_the_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand with any fault of the play is walked through, so that walking all changes nothing."""
    legal = legal_hands(200, seed=3)
    documents = [document for corruption in CORRUPTIONS for document, _ in corrupted(corruption, legal, 40)]
    usual, walked, _ = both_ways(documents, monkeypatch)
    assert all(one.equals(other) for one, other in zip(usual, walked, strict=True))


def with_wild_rank(documents: Sequence[Document], rng: Random) -> list[Document]:
    """The same hands with any rank drawn as wild: still what the log says, in order or not."""
    return [document | {"wild": rng.choice(WILD_RANKS)} for document in documents]


def test_columns_and_walk_agree_with_wild_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands played with wild cards, and the same with another wild rank, come out the same both ways."""
    rules = load_rules("laizi-general")
    played: list[Document] = [json.loads(line) for line in simulate(rules, hands=HANDS, seed=4, players=30)]
    usual, walked, table = both_ways([*played, *with_wild_rank(played, Random(4))], monkeypatch)
    for name, one, other in zip(Replayed._fields, usual, walked, strict=True):
        assert one.equals(other), name
    monkeypatch.undo()
    assert np.count_nonzero(~walks(table)[:HANDS]) > MOST * HANDS
    assert "error" in usual.issues["severity"].to_pylist()


def test_columns_and_walk_agree_on_natural_hands_with_a_wild_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands played without wild cards come out the same both ways when a rank is called wild."""
    documents = [document for recorded in RECORDED for document in hands(recorded, HANDS // 4, seed=5)]
    natural = [document for document in documents if "wild" not in document]
    usual, walked, _ = both_ways(with_wild_rank(natural, Random(5)), monkeypatch)
    for name, one, other in zip(Replayed._fields, usual, walked, strict=True):
        assert one.equals(other), name


def test_the_system_may_pass_where_no_card_is_played() -> None:
    """A hand in which the system passes before anybody has played a card has its faults, and stops nothing."""
    document = next(document for document in legal_hands(20, seed=6) if document["landlord"] is not None)
    landlord = document["landlord"]
    passes = [{"seat": (landlord + k) % 3, "act": "pass", "actor": "autoplay"} for k in range(2)]
    acts = [act for act in document["actions"] if act["act"] not in ("play", "pass")]
    only_passes = document | {"actions": [*acts, *passes], "outcome": "unfinished"}
    found = replay(hands_of([only_passes]), FORMATS)
    assert "pass_on_lead" in found.issues["code"].to_pylist()
    assert found.facts["replay_status"].to_pylist() == ["faulty"]
