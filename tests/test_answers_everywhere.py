"""Every command that answers with a table writes it in the same ways."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from ddz_analytics.cli import ddz
from ddz_analytics.errors import UsageError
from ddz_analytics.export import Target, Written, export
from ddz_analytics.query import run_query
from ddz_analytics.store import open_store
from tests.stores import played, take


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of twenty hands that were played."""
    folder = tmp_path_factory.mktemp("everywhere")
    (folder / "log.jsonl").write_bytes(played(20))
    take(folder / "store", folder / "log.jsonl")
    return folder


def run(folder: Path, *arguments: object) -> None:
    """Run the command in this process; it succeeds."""
    told = CliRunner().invoke(ddz, [*map(str, arguments), "--store", str(folder / "store")])
    assert (told.exit_code, told.stdout) == (0, ""), told.output


COMMANDS = {
    "find": (["--limit", "3"], ["Sheet1"]),
    "compare": (["--baseline", "jj-classic", "--against", "jj-bomb"], ["contents", "1 overview"]),
    "standings": (["--rules", "qq-classic", "--levels"], ["Sheet1"]),
    "statement": (["--rules", "jj-classic", "--player", "synthetic-0001"], ["contents", "1 totals", "2 hands", "3 missing"]),
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_writes_a_workbook_and_csv(folder: Path, command: str) -> None:
    """`-o x.xlsx` is a workbook, `-o x.csv` CSV in the encoding that is asked for, without anything on stdout."""
    arguments, sheets = COMMANDS[command]
    run(folder, command, *arguments, "-o", folder / f"{command}.xlsx")
    book = openpyxl.load_workbook(folder / f"{command}.xlsx")
    assert book.sheetnames[: len(sheets)] == sheets
    assert all(sheet.max_row > 0 for sheet in book)
    run(folder, command, *arguments, "-o", folder / f"{command}.csv", "--encoding", "utf-8-sig")
    content = (folder / f"{command}.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    assert len(list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))) > 1


def test_a_view_is_exported_in_an_encoding(folder: Path) -> None:
    """The mark stands once, at the beginning, and a workbook says how many numbers stand as text."""
    file = io.BytesIO()
    assert (
        export(open_store(folder / "store"), "plays", Target("csv", encoding="utf-8-sig"), file) == Written()
    )
    assert (file.getvalue().count(b"\xef\xbb\xbf"), file.getvalue()[:10]) == (1, b"\xef\xbb\xbfhand_id")
    seats = export(open_store(folder / "store"), "hand_seats", Target("xlsx"), io.BytesIO())
    masks = run_query(folder / "store", "SELECT dealt_mask::VARCHAR AS mask FROM hand_seats")[
        "mask"
    ].to_pylist()
    assert seats == Written(as_text=sum(len(mask.rstrip("0")) > 15 for mask in masks))
    assert seats.as_text > 0
    told = CliRunner().invoke(
        ddz, ["export", "hands", "--encoding", "gb18030", "--store", str(folder / "store")]
    )
    assert isinstance(told.exception, UsageError) and told.exception.code == "answer_encoding"
