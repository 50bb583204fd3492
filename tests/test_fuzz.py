"""Damaged records of every format: only hands, skipped records and rejections with a known code come of them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest

from ddz_analytics.hands import Hand, Located, Rejected, Skipped
from ddz_analytics.parsers import parsers
from ddz_analytics.parsers.base import KEPT_BYTES, Parsed, Parser, Source
from ddz_analytics.replay import replay
from ddz_analytics.tabulate import hands_table
from tests.fuzzing import mutants, seeds_of
from tests.parsing import REJECTIONS
from tests.stores import column, take

FORMATS = sorted(parsers())
SEED = 20261130
BATCH = 250


def checked(parser: Parser, data: bytes) -> list[Parsed]:
    """What a parser makes of some bytes, each record with a line, with bytes that are in the log, and with a known code."""
    assert 0.0 <= parser.sniff(data[: 64 * 1024]) <= 1.0
    found = list(parser.parse(io.BytesIO(data), Source("log")))
    for record in found:
        assert isinstance(record, Hand | Located | Rejected | Skipped), record
        if isinstance(record, Rejected):
            assert record.code in REJECTIONS, record
            assert record.detail, record
        if isinstance(record, Located | Rejected):
            assert record.line >= 0
            assert record.raw[:KEPT_BYTES] in data
    return found


def replayed(parser: Parser, hands: Sequence[Located]) -> None:
    """Tabulate and replay hands."""
    table, refused = hands_table(hands, parser, "log")
    assert {record.code for record in refused} <= REJECTIONS
    assert len(table) + len(refused) == len(hands)
    hand_id = pa.array(range(len(table)), type=pa.int64())
    if len(table):
        replay(table.set_column(0, table.schema.field("hand_id"), hand_id), parsers())


def survive(parser: Parser, logs: Iterable[bytes]) -> None:
    """Parse, tabulate and replay what is in some logs."""
    waiting: list[Located] = []
    for place, data in enumerate(logs):
        try:
            waiting += [record for record in checked(parser, data) if isinstance(record, Located)]
            if len(waiting) >= BATCH:
                replayed(parser, waiting)
                waiting = []
        except BaseException as error:
            error.add_note(f"{parser.name}, input {place}: {data[:2000]!r}")
            raise
    replayed(parser, waiting)


@pytest.mark.parametrize("form", FORMATS)
def test_only_coded_rejections_come_out(form: str) -> None:
    """Whatever is done to a real record, a parser gives hands, skipped records and rejections of the catalogue, and never fails."""
    survive(parsers()[form], mutants(form, 600, SEED))


@pytest.mark.long
@pytest.mark.parametrize("form", FORMATS)
def test_only_coded_rejections_come_out_of_fifty_thousand(form: str) -> None:
    """The same of fifty thousand damaged records of each format."""
    survive(parsers()[form], mutants(form, 50_000, SEED + 1))


@pytest.mark.parametrize("form", FORMATS)
def test_every_beginning(form: str) -> None:
    """A log that is cut off anywhere keeps its whole records and ends in a hand or a coded rejection."""
    for data in sorted(seeds_of(form), key=len)[:3]:
        survive(parsers()[form], (data[:end] for end in range(0, len(data), max(len(data) // 50, 1))))


@pytest.mark.parametrize("form", FORMATS)
def test_logs_of_other_formats(form: str) -> None:
    """A parser that is given another format's log, or noise, rejects it or finds nothing in it."""
    chance = Random(form)
    noise = [chance.randbytes(chance.randrange(2000)) for _ in range(50)]
    others = [min(seeds_of(other), key=len) for other in FORMATS if other != form]
    survive(parsers()[form], [*others, *noise, noise[0].hex().encode(), b""])
    assert all(isinstance(record, Rejected) for data in noise for record in checked(parsers()[form], data))


@pytest.mark.parametrize("form", FORMATS)
def test_damaged_records_are_accounted_for(form: str, tmp_path: Path) -> None:
    """After an ingest of damaged files every record is stored, duplicate, rejected or skipped, as the store's own rows say too."""
    for number, data in enumerate([*seeds_of(form)[:3], *mutants(form, 120, SEED + 2)]):
        (tmp_path / f"{number:03d}.log").write_bytes(data)
    total = take(tmp_path / "store", tmp_path / "*.log").total
    assert total.read == total.stored + total.duplicate + total.rejected + total.skipped
    codes = column(tmp_path / "store", "rejected", "code")
    assert (len(column(tmp_path / "store", "hands", "hand_id")), len(codes)) == (total.stored, total.rejected)
    assert set(codes) <= REJECTIONS | {"conflict"}
    assert total.stored
