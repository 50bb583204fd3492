"""Files of settlement rows: CSV, Parquet, partitions; read again, grown, sampled, and in what order."""

from __future__ import annotations

import gzip
from decimal import Decimal
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from ddz_analytics.cli import ddz
from ddz_analytics.errors import UsageError
from ddz_analytics.ingest.declaring import FactsFile, declared_in
from ddz_analytics.ingest.summary import Counts
from tests.facts_rows import ROW, ask, csv_of, declare, rejected, rows, write_csv, write_parquet
from tests.stores import take


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_told_by_the_header(tmp_path: Path, delimiter: str) -> None:
    """Commas, semicolons, tabs and bars all do, plain or packed."""
    text = csv_of(rows({}, {}), delimiter).encode()
    (tmp_path / "a.csv").write_bytes(text)
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(text.replace(b"h1", b"h3").replace(b"h2", b"h4")))
    assert declare(tmp_path / "s", tmp_path / "a.csv", tmp_path / "b.csv.gz") == Counts(4, 4, 0, 0, 0)


def test_damaged_tables_are_rejections(tmp_path: Path) -> None:
    """Whatever bytes are changed, lost or added in a table, every row of it is a hand or a rejection with its line."""
    rng = Random(3)
    write_parquet(tmp_path / "whole.parquet", *rows({}, {"bid": 3}))
    whole = [csv_of(rows({}, {"bid": 3})).encode(), (tmp_path / "whole.parquet").read_bytes()]
    for number in range(200):
        table = bytearray(whole[number % 2])
        for _ in range(rng.randint(1, 4)):
            place, more = (
                rng.randrange(len(table)),
                bytes(rng.choices(b',;"\n\r\0-019e\xff\xe4', k=rng.randint(0, 3))),
            )
            table[place : place + rng.randint(0, 3)] = more
        (tmp_path / "damaged").write_bytes(bytes(table))
        for found in declared_in(FactsFile(tmp_path / "damaged", "damaged", None), None):
            assert len(found.hands) == len(found.facts)
            assert all(row.line > 0 and row.code for row in found.rejected)


def test_parquet_and_csv_say_the_same(tmp_path: Path) -> None:
    """The same row is one hand, whether it comes as text or in types: a duplicate by its content."""
    typed = {**ROW, "bid": Decimal("2.0"), "landlord_balance": 5.5, "down_balance": 7, "up_balance": Decimal("8.250000"),
             "nobody_bid": False}  # fmt: skip
    texts = {**typed, "bid": "2", "landlord_balance": "5.5000", "up_balance": "8.25", "hand_no": None}
    assert declare(tmp_path / "s", write_parquet(tmp_path / "a.parquet", typed)).stored == 1
    assert declare(tmp_path / "s", write_csv(tmp_path / "b.csv", texts)) == Counts(1, 0, 1, 0, 0)


def test_bad_value_in_parquet_is_a_rejection(tmp_path: Path) -> None:
    """A fifth decimal, a number that is none and a wrong word are found row by row; the bytes kept are the row as JSON."""
    file = write_parquet(tmp_path / "a.parquet", *rows({"bid": 2.0}, {"bid": 2.00001}, {"bid": 3.0}))
    assert declare(tmp_path / "s", file) == Counts(3, 2, 0, 1, 0)
    ((line, code, raw),) = ask(tmp_path / "s", "SELECT line, code, raw FROM rejected_hands")
    assert (line, code) == (2, "wrong_type") and b'"source_hand_id":"h2"' in raw


def test_partitions_are_columns(tmp_path: Path) -> None:
    """Folders named key=value give their rows a column, and files of a framework beside them do no harm."""
    row = {name: value for name, value in ROW.items() if name != "table_id"}
    for table in ("t1", "t2"):
        write_parquet(tmp_path / "facts" / f"table_id={table}" / "part-0.parquet", row)
    (tmp_path / "facts" / "_SUCCESS").touch()
    assert declare(tmp_path / "s", tmp_path / "facts") == Counts(2, 2, 0, 0, 0)
    assert ask(tmp_path / "s", "SELECT table_id FROM hands ORDER BY hand_id") == [("t1",), ("t2",)]


def test_timestamps_keep_their_moment(tmp_path: Path) -> None:
    """A time of Parquet with a zone is that moment; one without needs --tz, like a text without offset."""
    moment = pa.array([1767323045000000000], pa.timestamp("ns", tz="Asia/Shanghai"))
    table = pa.table({name: [value] for name, value in ROW.items()})
    pq.write_table(table.append_column("started_at", moment), tmp_path / "a.parquet")
    naive = table.set_column(0, "source_hand_id", [["h2"]]).append_column(
        "started_at", moment.cast(pa.timestamp("us"))
    )
    pq.write_table(naive, tmp_path / "b.parquet")
    assert declare(tmp_path / "s", tmp_path) == Counts(2, 1, 0, 1, 0)
    assert [row[1] for row in rejected(tmp_path / "s")] == ["naive_time"]
    assert ask(tmp_path / "s", "SELECT epoch(started_at) FROM hands") == [(1767323045.0,)]


def test_time_without_offset_is_the_zone_s(tmp_path: Path) -> None:
    """With --tz a time without offset counts by that zone's clock."""
    file = write_csv(tmp_path / "a.csv", *rows({"started_at": "2026-01-02 11:04:05"}))
    assert declare(tmp_path / "s", file, tz="Asia/Shanghai").stored == 1
    assert ask(tmp_path / "s", "SELECT started_at = TIMESTAMPTZ '2026-01-02 03:04:05+00' FROM hands") == [
        (True,)
    ]


def test_private_columns_are_kept(tmp_path: Path) -> None:
    """Columns that begin with an underscore come along as JSON."""
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows({"_lobby": "east", "_n": None}, {})))
    assert ask(tmp_path / "s", "SELECT extra FROM hands ORDER BY hand_id") == [
        ('{"_lobby":"east"}',),
        (None,),
    ]


def test_same_id_with_other_content_is_a_conflict(tmp_path: Path) -> None:
    """A row that says again what is stored is a duplicate, whatever its columns; one that says otherwise a conflict, kept."""
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows({}, {})))
    again = write_csv(
        tmp_path / "b.csv", *rows({"robs": None}, {"bid": 3}, {}, {"table_id": "t2", "source_hand_id": "h1"})
    )
    assert declare(tmp_path / "s", again) == Counts(4, 2, 1, 1, 0)
    query = "SELECT line, code, raw FROM rejected_hands"
    assert ask(tmp_path / "s", query) == [(3, "conflict", again.read_bytes().splitlines(keepends=True)[2])]


def test_table_that_was_read_is_left_alone(tmp_path: Path) -> None:
    """The same file is not read twice, not even by an ingest that tells formats by content; --reparse reads it again."""
    file = write_csv(tmp_path / "a.csv", *rows({}, {"bombs": 99}))
    declare(tmp_path / "s", file)
    for options in ({"format": "facts"}, {"format": "auto"}):
        assert take(tmp_path / "s", file, **options).unchanged == [str(file)]
    assert declare(tmp_path / "s", file, reparse=True) == Counts(2, 1, 0, 1, 0)
    assert ask(tmp_path / "s", "SELECT count(*) FROM hands") == [(1,)]
    assert len(rejected(tmp_path / "s")) == 1


def test_grown_table_gives_its_new_rows(tmp_path: Path) -> None:
    """Rows that were read before are duplicates when the file has grown."""
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows({}, {})))
    assert declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows({}, {}, {}))) == Counts(3, 1, 2, 0, 0)


def test_stop_and_dry_run_count_rows(tmp_path: Path) -> None:
    """--stop-after stops after that many rows, good or bad; a dry run stores nothing."""
    file = write_csv(tmp_path / "a.csv", *rows({}, {"bombs": 99}, {}, {}))
    assert declare(tmp_path / "s", file, dry_run=True) == Counts(4, 3, 0, 1, 0)
    assert not (tmp_path / "s").exists()
    assert declare(tmp_path / "s", file, stop_after=3) == Counts(3, 2, 0, 1, 0)
    assert declare(tmp_path / "s", file) == Counts(4, 1, 2, 1, 0)


def test_sample_takes_whole_tables(tmp_path: Path) -> None:
    """A sample of tables takes all rows of some tables; the two halves make up the whole."""
    file = write_csv(tmp_path / "a.csv", *rows(*({"table_id": f"t{number % 7}"} for number in range(28))))
    halves = [declare(tmp_path / f"s{part}", file, sample=f"table:{part}/2") for part in (1, 2)]
    assert all(half.read == 28 and half.stored % 4 == 0 for half in halves)
    assert sum(half.stored for half in halves) == sum(half.skipped for half in halves) == 28


@pytest.mark.usefixtures("side_by_side")
def test_many_rows_come_in_order_whatever_the_jobs(tmp_path: Path) -> None:
    """Files and rows keep their order, and two processes make the same store as one."""
    for number in range(3):
        table = [{**ROW, "source_hand_id": f"{number}-{row}"} for row in range(50)]
        write_csv(tmp_path / f"{number}.csv", *table)
    files = [tmp_path / f"{number}.csv" for number in range(3)]
    expected = [(f"{number}-{row}",) for number in range(3) for row in range(50)]
    for jobs in (1, 2):
        store = tmp_path / f"s{jobs}"
        assert declare(store, *files, jobs=jobs).stored == 150
        assert ask(store, "SELECT source_hand_id FROM hands ORDER BY hand_id") == expected


def test_facts_name_their_players_themselves(tmp_path: Path) -> None:
    """--agents, which would be of no effect, is an error beside --facts."""
    with pytest.raises(UsageError) as caught:
        declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows()), agents={"landlord": "A"})
    assert caught.value.code == "agents"


def test_facts_say_their_format_themselves(tmp_path: Path) -> None:
    """--facts beside another --format is an error; without one the paths are tables."""
    file = write_csv(tmp_path / "a.csv", *rows({}, {"bombs": 99}))
    arguments = ["ingest", "--facts", str(file), "--store", str(tmp_path / "s")]
    refused = CliRunner().invoke(ddz, [*arguments, "--format", "ddz/1"])
    assert isinstance(refused.exception, UsageError) and refused.exception.code == "facts_format"
    done = CliRunner().invoke(ddz, arguments)
    assert done.exit_code == 0 and "2 read = 1 stored + 0 duplicate + 1 rejected" in done.output
