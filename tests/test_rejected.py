"""`ddz rejected`: what could not become a hand is listed, shown, tried again, handed out byte for byte, and dropped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.ingest import retrying
from ddz_analytics.parsers.ddz1 import Ddz1
from ddz_analytics.store import open_store
from ddz_analytics.store.quarantine import ALL, records
from tests.command import ddz
from tests.stores import column, line, lines, take

NAIVE = [line(f"n{number}", started_at=f"2026-01-02T0{number}:00:00").rstrip() for number in range(3)]
CORRECTED = line("0001", players=["ann", "bo", "dee"]).rstrip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a store of three hands, three naive times, a conflict, a picture and a broken line."""
    (tmp_path / "a.jsonl").write_bytes(lines(0, 3))
    (tmp_path / "b.jsonl").write_bytes(
        b"\n".join([NAIVE[0], CORRECTED, b'{"\xff\x1b[2J', NAIVE[1], NAIVE[0], NAIVE[2]])
    )
    (tmp_path / "picture.bin").write_bytes(bytes(range(256)))
    assert ddz("ingest", "a.jsonl", folder=tmp_path).returncode == 0
    assert ddz("ingest", "b.jsonl", "picture.bin", folder=tmp_path).returncode == 0
    return tmp_path


def listed(folder: Path, *options: str) -> dict[str, Any]:
    run = ddz("rejected", "list", "--json", *options, folder=folder)
    assert run.returncode == 0, run.stderr
    return {group["code"]: group for group in json.loads(run.stdout)}


def source_counts(folder: Path, path: str) -> dict[str, int]:
    question = f"SELECT read, stored, duplicate, rejected, skipped FROM source_files WHERE path = '{path}'"
    (row,) = json.loads(ddz("sql", question, "--format", "json", folder=folder).stdout)
    assert row["read"] == row["stored"] + row["duplicate"] + row["rejected"] + row["skipped"]
    counts: dict[str, int] = row
    return counts


def test_list_by_code(folder: Path) -> None:
    """Each code is listed with its number and the place and fault of its first record, most records first."""
    found = listed(folder)
    assert {code: group["records"] for code, group in found.items()} == {
        "naive_time": 4, "bad_encoding": 1, "conflict": 1, "not_text": 1,
    }  # fmt: skip
    assert next(iter(found)) == "naive_time"
    assert found["naive_time"]["first"]["source_path"] == "b.jsonl"
    assert found["naive_time"]["first"]["line"] == 1
    assert "raw" not in found["naive_time"]["first"]
    text = ddz("rejected", "list", folder=folder).stdout
    assert text.splitlines()[0].split() == [
        "naive_time",
        "4",
        "b.jsonl:1:",
        "a",
        "time",
        "without",
        "offset",
        "-",
        "at",
        "`started_at`",
    ]
    assert list(listed(folder, "--source", "picture.bin")) == ["not_text"]


def test_a_conflict_names_both_places(folder: Path) -> None:
    """A conflict says where the hand stands that it contradicts, and how to put it in its place."""
    (conflict,) = json.loads(ddz("rejected", "show", "b.jsonl:2", "--json", folder=folder).stdout)
    assert conflict["code"] == "conflict"
    assert "stands at a.jsonl:2; --reparse" in conflict["detail"]
    assert conflict["raw"].encode() == CORRECTED


def test_show(folder: Path) -> None:
    """Records are shown by place, code or source; what they hold cannot command the terminal."""
    shown = ddz("rejected", "show", "--code", "bad_encoding", folder=folder).stdout
    assert shown.splitlines()[1] == '  {"\\xff\\x1b[2J'
    assert (
        ddz("rejected", "show", "--source", "b.jsonl", "--limit", "2", folder=folder).stdout.count("b.jsonl:")
        == 2
    )
    for place, code in (("b.jsonl:99", "record_unknown"), ("b.jsonl", "record_place")):
        run = ddz("rejected", "show", place, folder=folder)
        assert (run.returncode, run.stderr.startswith(f"error[{code}]")) == (2, True)


def test_show_of_several_lines(tmp_path: Path) -> None:
    """A record of several lines is shown in as many."""
    (tmp_path / "log").write_bytes(b'{\n"format": "ddz/1",\n "id": 1}\n')
    assert ddz("ingest", "log", folder=tmp_path).returncode == 0
    shown = ddz("rejected", "show", folder=tmp_path).stdout.splitlines()
    assert shown[0].endswith("; ddz/1 has one hand a line")
    assert shown[1:] == ["  {", '  "format": "ddz/1",', '   "id": 1}']


def test_retry_with_a_zone(folder: Path) -> None:
    """Records whose times had no zone become hands when one is named, under the usual rules for duplicates."""
    run = ddz("rejected", "retry", "--code", "naive_time", "--tz", "Asia/Shanghai", folder=folder)
    assert run.stdout == "4 records tried = 3 stored + 1 duplicate + 0 still rejected + 0 skipped\n", (
        run.stderr
    )
    assert sorted(listed(folder)) == ["bad_encoding", "conflict", "not_text"]
    assert source_counts(folder, "b.jsonl") == {
        "read": 6,
        "stored": 3,
        "duplicate": 1,
        "rejected": 2,
        "skipped": 0,
    }
    question = "SELECT source_path, source_line FROM hands ORDER BY hand_id"
    rows = ddz("sql", question, "--format", "csv", folder=folder).stdout.split()
    assert rows[4:] == ["b.jsonl,1", "b.jsonl,4", "b.jsonl,6"]
    assert ddz("verify", folder=folder).stdout == "the store is whole\n"
    assert "unchanged" in ddz("ingest", "b.jsonl", "--json", folder=folder).stdout


def test_retried_hands_belong_to_their_file(folder: Path) -> None:
    """Reading the file again replaces the hands that were retried too."""
    ddz("rejected", "retry", "--tz", "Asia/Shanghai", folder=folder)
    run = ddz("ingest", "b.jsonl", "--reparse", "--tz", "UTC", "--json", folder=folder)
    assert json.loads(run.stdout)["total"] == {
        "read": 6,
        "stored": 4,
        "duplicate": 1,
        "rejected": 1,
        "skipped": 0,
    }
    assert len(column(folder / "ddz-store", "hands", "hand_id")) == 6


def test_a_conflict_stays_one_until_its_rival_goes(folder: Path) -> None:
    """A conflict that is tried again is still one; when the other hand was removed, it is stored."""
    run = ddz("rejected", "retry", "--code", "conflict", folder=folder)
    assert run.stdout.startswith("1 record tried = 0 stored + 0 duplicate + 1 still rejected")
    before = open_store(folder / "ddz-store").manifest.generation
    assert ddz("remove", "--source", "a.jsonl", folder=folder).returncode == 0
    run = ddz("rejected", "retry", "--code", "conflict", folder=folder)
    assert run.stdout.startswith("1 record tried = 1 stored")
    assert open_store(folder / "ddz-store").manifest.generation == before + 2


def test_reparse_puts_a_conflict_in_its_place(folder: Path) -> None:
    """`ingest --reparse` stores the hand of the file that is read and puts the one that it contradicts into the quarantine."""
    run = ddz("ingest", "b.jsonl", "--reparse", "--json", folder=folder)
    told = json.loads(run.stdout)
    assert (told["replaced_conflicts"], told["total"]["stored"]) == (1, 1)
    question = (
        "SELECT player FROM hand_seats JOIN hands USING (hand_id) WHERE source_hand_id = '0001' AND seat = 2"
    )
    assert ddz("sql", question, "--format", "csv", folder=folder).stdout.split() == ["player", "dee"]
    (loser,) = json.loads(ddz("rejected", "show", "--code", "conflict", "--json", folder=folder).stdout)
    assert (loser["source_path"], loser["line"]) == ("a.jsonl", 2)
    assert "in its place stands b.jsonl:2" in loser["detail"]
    assert json.loads(loser["raw"])["players"] == ["ann", "bo", "cy"]
    assert source_counts(folder, "a.jsonl")["rejected"] == 1
    assert ddz("verify", folder=folder).stdout == "the store is whole\n"
    again = json.loads(ddz("ingest", "a.jsonl", "--reparse", "--json", folder=folder).stdout)
    assert again["replaced_conflicts"] == 1


def test_export_byte_for_byte(folder: Path) -> None:
    """The bytes come out as they came, in a file for each record or in one, and it is said which is which."""
    listing = json.loads(ddz("rejected", "export", "--folder", "out", "--json", folder=folder).stdout)
    raw = [record.raw for record in records(folder / "ddz-store", ALL)]
    assert [(folder / "out" / each["at"]).read_bytes() for each in listing] == raw
    assert {each["code"]: each["line"] for each in listing}["conflict"] == 2
    run = ddz("rejected", "export", "--code", "naive_time", "-o", "naive.jsonl", folder=folder)
    assert (folder / "naive.jsonl").read_bytes() == b"".join(
        raw + b"\n" for raw in [*NAIVE[:2], NAIVE[0], NAIVE[2]]
    )
    assert run.stdout.splitlines()[1] == f"{len(NAIVE[0]) + 1}  {len(NAIVE[1])}  naive_time  b.jsonl:4"
    for wrong in (["--folder", "out"], [], ["--folder", "x", "-o", "y"]):
        assert ddz("rejected", "export", *wrong, folder=folder).returncode == 2


def test_purge(folder: Path) -> None:
    """What is purged is gone to the last byte; all goes only when all is asked for."""
    run = ddz("rejected", "purge", folder=folder)
    assert (run.returncode, run.stderr[:17]) == (2, "error[purge_what]")
    store = folder / "ddz-store"
    assert ddz("rejected", "purge", "--code", "naive_time", folder=folder).stdout == "4 records are gone\n"
    assert b"n1" not in b"".join(raw for raw in column(store, "rejected", "raw"))
    assert ddz("rejected", "purge", "--source", "picture.bin", folder=folder).stdout == "1 record is gone\n"
    assert ddz("rejected", "purge", "--all", folder=folder).stdout == "2 records are gone\n"
    assert {path.name for path in (store / "parts").glob("rejected*")} == {"rejected-empty.parquet"}
    assert ddz("rejected", "list", folder=folder).stdout == "nothing is rejected\n"
    assert source_counts(folder, "b.jsonl")["rejected"] == 6
    assert ddz("verify", folder=folder).stdout == "the store is whole\n"


def test_retry_after_a_parser_was_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that the parser of its time refused is parsed by that of today, whichever publish it came with."""
    store = tmp_path / "store"
    real = Ddz1.parse_heads
    refuse = lambda self, stream, source: (  # noqa: E731 - a parser with a fault
        retrying_refusal(each) for each in real(self, stream, source)
    )
    monkeypatch.setattr(Ddz1, "parse_heads", refuse)
    for number in range(3):
        (tmp_path / f"{number}.jsonl").write_bytes(lines(number, number + 1))
        assert take(store, tmp_path / f"{number}.jsonl").total.rejected == 1
    monkeypatch.undo()
    done = retrying.retry(store, ALL, None)
    assert (done.total.stored, done.total.rejected) == (3, 0)
    assert column(store, "hands", "source_hand_id") == ["0000", "0001", "0002"]
    assert [entry.stored for entry in open_store(store).manifest.ledger] == [1, 1, 1]


def retrying_refusal(each: Any) -> Any:
    """A hand as a rejection."""
    from ddz_analytics.hands import Rejected

    return Rejected(each.line, "out_of_range", "of all hands", each.raw)
