"""`ddz export`: hands come back as `ddz/1` with the same facts and scores; views as Parquet, CSV and workbooks."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest

from ddz_analytics.export import Kind, Target, export
from ddz_analytics.pseudonyms import Pseudonyms
from ddz_analytics.schema import HANDS
from ddz_analytics.store import open_store
from ddz_analytics.store.catalog import VIEWS, connect
from ddz_analytics.store.parts import REPLAYED
from ddz_analytics.streams import Opener, Place
from tests.command import ddz
from tests.stores import line
from tests.test_cli import SAMPLES
from tests.test_pseudonyms import ANN, BO, IDS, KEY, pseudonym

RULES = "qq-classic,jj-classic,happy,casino-capped"
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of every sample log, scored."""
    folder = tmp_path_factory.mktemp("export")
    logs = [path for path in sorted(SAMPLES.iterdir()) if path.is_dir() and path.name != "simulated"]
    some = [SAMPLES / "simulated" / f"{name}.gz" for name in ("happy-laizi.ddz.jsonl", "qq-coins.ddz.jsonl")]
    assert ddz("ingest", *logs, *some, folder=folder).returncode == 0
    assert ddz("rescore", "--rules", RULES, folder=folder).returncode == 0
    return folder


@pytest.mark.parametrize("name", ["hands.ddz.jsonl", "hands.jsonl.gz", "hands.zst"])
def test_exported_hands_have_the_same_facts_and_scores(folder: Path, name: str) -> None:
    """Hands of every format, exported and ingested into a new store, give equal facts, plays, issues and settlements."""
    assert ddz("export", "hands", "-o", name, folder=folder).returncode == 0
    again = f"again-{name}"
    assert ddz("ingest", name, "--strict", "--store", again, folder=folder).returncode == 0
    assert ddz("rescore", "--rules", RULES, "--store", again, folder=folder).returncode == 0
    before, after = open_store(folder / "ddz-store"), open_store(folder / again)
    for table in ("hands", *REPLAYED, "settlements"):
        places = [name for name in ("source_path", "source_line") if table == "hands"]
        assert after.read(table).drop_columns(places) == before.read(table).drop_columns(places), table
    second = ddz("export", "hands", "--store", again, folder=folder).stdout
    packed = (folder / name).read_bytes()
    with Opener() as opener, opener.open(Place(folder / name)) as stream:
        assert second.encode() == stream.read()
    assert packed[:2] == {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5"}.get(Path(name).suffix, b'{"')


def test_exported_hands_are_duplicates_in_their_own_store(folder: Path) -> None:
    """What was exported is known again, whatever format it came in."""
    ddz("export", "hands", "-o", "own.jsonl", folder=folder)
    told = json.loads(ddz("ingest", "own.jsonl", "--dry-run", "--json", folder=folder).stdout)["total"]
    assert told["duplicate"] == told["read"] > 500


def test_parquet_of_hands_has_the_columns_of_the_store(folder: Path) -> None:
    """Hands as Parquet have the schema of the parts."""
    ddz("export", "hands", "-o", "hands.parquet", folder=folder)
    assert pq.read_table(folder / "hands.parquet") == open_store(folder / "ddz-store").read("hands")
    assert pq.read_schema(folder / "hands.parquet") == HANDS


def written(store: Path, what: str, kind: Kind, key: Pseudonyms | None = None) -> bytes:
    """What the command writes."""
    file = io.BytesIO()
    export(open_store(store), what, Target(kind), file, key)
    return file.getvalue()


@pytest.mark.parametrize("key", [None, Pseudonyms(KEY)], ids=["plain", "pseudonyms"])
def test_every_view_as_parquet_and_csv(folder: Path, key: Pseudonyms | None) -> None:
    """Each view can be written as Parquet and CSV, with every row and column, under pseudonyms too."""
    store = folder / "ddz-store"
    with connect(store) as connection:
        sizes = {view: connection.sql(f"SELECT count(*) FROM {view}").fetchall()[0][0] for view in VIEWS}
    for view in VIEWS:
        table = pq.read_table(io.BytesIO(written(store, view, "parquet", key)))
        assert table.num_rows == sizes[view]
        if table.num_rows > 5000:
            continue  # text of so many rows takes long, and is written by the same steps
        rows = list(csv.reader(io.StringIO(written(store, view, "csv", key).decode(), newline="")))
        assert len(rows) == sizes[view] + 1
        assert view == "hands" or rows[0] == table.column_names


def cells(book: bytes) -> list[list[tuple[str, str]]]:
    """The cells of a workbook's only sheet, each with its type (n number, b truth value, else text)."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    assert sheet.find(f".//{SHEET}f") is None
    rows = []
    for row in sheet.iter(f"{SHEET}row"):
        rows.append([(cell.get("t", "n"), "".join(cell.itertext())) for cell in row])
    return rows


def test_workbook(tmp_path: Path) -> None:
    """In a workbook ids are text, numbers are numbers where none of their digits is lost, and no text is a formula."""
    pytest.importorskip("xlsxwriter")
    hand = line(
        "=1+1",
        players=["+ann", "@bo", "http://cy"],
        balances=["99999999999999.9999", "1.5", -7],
        balance_kind="coins",
    )
    (tmp_path / "log").write_bytes(hand)
    ddz("ingest", "log", folder=tmp_path)
    assert ddz("export", "hand_seats", "-o", "seats.xlsx", folder=tmp_path).returncode == 0
    head, *rows = cells((tmp_path / "seats.xlsx").read_bytes())
    names = [name for _, name in head]
    with (tmp_path / "seats.xlsx").open("rb") as file:
        assert file.read(2) == b"PK"
    assert len(rows) == 3
    texts = {text for row in rows for kind, text in row if kind == "inlineStr"}
    numbers = {text for row in rows for kind, text in row if kind == "n"}
    assert {"1", "+ann", "@bo", "http://cy", "99999999999999.9999"} <= texts
    assert {"1.5", "-7"} <= numbers
    assert names[0] == "hand_id" and [row[0] for row in rows] == [("inlineStr", "1")] * 3
    ddz("export", "hands", "--format", "xlsx", "-o", "hands.xlsx", folder=tmp_path)
    assert ("inlineStr", "=1+1") in cells((tmp_path / "hands.xlsx").read_bytes())[1]


def test_export_under_pseudonyms(tmp_path: Path) -> None:
    """Under pseudonyms nothing that is written has the id of a player, and a table that names one is one table still."""
    (tmp_path / "key").write_bytes(KEY)
    table = f"{ANN}'s table"
    (tmp_path / "log").write_bytes(
        line("1", players=IDS, table=table, _who=ANN)
        + line("2", players=["di-4714", "x2", "x3"], table=table)
        + line("3", players=IDS, actions=[{"seat": 0, "act": "pass", "sent": BO}], kinds=[ANN, "", ""])
        + line("3", players=IDS, first=1)
    )
    ddz("ingest", "log", folder=tmp_path)
    ddz("rescore", "--rules", "qq-classic", folder=tmp_path)
    hashes = [
        str(value) for value in open_store(tmp_path / "ddz-store").read("hands")["content_hash"].to_pylist()
    ]
    store, key = tmp_path / "ddz-store", Pseudonyms(KEY)
    for what in VIEWS:
        parquet = written(store, what, "parquet", key)
        texts = [
            parquet,
            repr(pq.read_table(io.BytesIO(parquet)).to_pylist()).encode(),
            written(store, what, "csv", key),
        ]
        content = b"".join([*texts, written(store, what, "jsonl", key) if what == "hands" else b""])
        for word in (*IDS, json.dumps(BO)[1:-1], "di-4714", *hashes):
            assert word.encode() not in content, (what, word)
    lines = ddz("export", "hands", "--pseudonyms", "key", folder=tmp_path).stdout.splitlines()
    hands = [json.loads(each) for each in lines]
    assert [hand["players"][0] for hand in hands] == [pseudonym(ANN), pseudonym("di-4714"), pseudonym(ANN)]
    assert {hand["table"] for hand in hands[:2]} == {f"{pseudonym(ANN)}'s table"}
    assert hands[2]["actions"][0]["sent"] == pseudonym(BO)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["hands", "-o", "x.doc"], ""),
        (["scores", "-o", "x.doc"], "export_format"),
        (["scores", "--format", "jsonl"], "export_format"),
        (["scores", "-o", "x.parquet.gz"], "export_format"),
        (["skores", "-o", "x.csv"], "view_unknown"),
        (["scores", "-o", "no/x.csv"], "path_missing"),
    ],
)
def test_what_cannot_be_written(folder: Path, arguments: list[str], code: str) -> None:
    """A view or format that is not known is one clear line, and no file is begun."""
    run = ddz("export", *arguments, folder=folder)
    assert (run.returncode, f"error[{code}]" in run.stderr) == ((2, True) if code else (0, False))
    assert not list(folder.glob("x.csv*")) and not list(folder.glob(".x*"))
