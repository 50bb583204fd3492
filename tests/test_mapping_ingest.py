"""Ingest by a mapping: what is read again, samples of whole clusters, dry runs, and any number of processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.errors import UsageError
from ddz_analytics.info import info
from ddz_analytics.ingest.summary import Counts
from ddz_analytics.mapping import joining
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.store.catalog import connect
from tests.mapped import MAPPING, deals, game, tables, take_mapped, write
from tests.stores import column, content, counts_of, line, played, take, take_counts


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where `take_mapped` keeps its store."""
    return tmp_path / "store"


def ids(store: Path) -> list[Any]:
    return column(store, "hands", "source_hand_id")


def test_second_run(store: Path, tmp_path: Path) -> None:
    """Tables that were read before are not read again; if one of them changed, all are, and what is the same is a duplicate."""
    take_mapped(tmp_path, tables("g1"))
    before = content(store)
    summary = take_mapped(tmp_path, tables("g1"))
    assert (summary.total, len(summary.unchanged), content(store)) == (Counts(), 4, before)
    summary = take_mapped(tmp_path, tables("g1", "g2"))
    assert counts_of(summary)["games.csv"] == Counts(read=2, stored=1, duplicate=1)


def test_a_changed_row(store: Path, tmp_path: Path) -> None:
    """A hand whose rows have changed is a conflict, until it is put in the place of the old one."""
    take_mapped(tmp_path, tables("g1"))
    changed = {**tables("g1"), "deals": deals(scores=(6, -3, -3))}
    assert counts_of(take_mapped(tmp_path, changed))["games.csv"] == Counts(read=1, rejected=1)
    assert column(store, "rejected", "code") == ["conflict"]
    assert column(store, "rejected", "raw")[0].startswith(b"g1,r1,")
    take_mapped(tmp_path, changed, reparse=True)
    assert column(store, "hands", "recorded_score_0") == [6]


def test_another_mapping(store: Path, tmp_path: Path) -> None:
    """What was read by another content of the mapping is read again, in its place; so is what no format was known for."""
    write(tmp_path, tables("g1"))
    assert take_counts(store, tmp_path / "tables") == (0, 0, 4, 0)
    take_mapped(tmp_path, tables("g1"))
    assert column(store, "rejected", "code") == []
    take_mapped(tmp_path, tables("g1"), MAPPING.replace("jj-classic", "jj-bomb"))
    assert (ids(store), column(store, "hands", "recorded_rules")) == (["g1"], ["jj-bomb"])


def test_without_the_mapping(store: Path, tmp_path: Path) -> None:
    """An ingest without the mapping leaves alone what a mapping read."""
    take_mapped(tmp_path, tables("g1"))
    assert len(take(store, tmp_path / "tables").unchanged) == 4
    assert ids(store) == ["g1"]


def test_what_the_logs_can_say(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store knows what a mapping maps: it says so, and a score that needs more is projected, after replaying again too."""
    take_mapped(tmp_path, tables("g1"), MAPPING.replace('rules = "jj-classic"', ""))
    says = info(store)["formats"]["small"]
    assert says["says"] == ["auction", "autoplay", "time"]
    monkeypatch.setattr("ddz_analytics.rescore.REPLAY_VERSION", 99)
    assert rescore(store, [load_rules("happy")]).replayed == 1
    with connect(store) as connection:
        ((status, assumptions),) = connection.sql(
            "SELECT score_status, assumptions FROM settlements"
        ).fetchall()
    assert (status, assumptions) == ("projected", ["robs", "open_hand", "doubles", "room.rate"])


@pytest.mark.usefixtures("side_by_side")
def test_any_number_of_jobs(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process and two, and bundles of any size, store the same."""
    gids = [f"g{number}" for number in range(7)]
    take_mapped(tmp_path, tables(*gids))
    monkeypatch.setattr(joining, "HANDS_PER_BUNDLE", 2)
    monkeypatch.setattr(joining, "ROWS_PER_BATCH", 5)
    other = tmp_path / "other"
    take_mapped(other, tables(*gids), jobs=2)
    assert content(store) == content(other / "store")
    assert column(store, "hands", "source_line") == list(range(2, 9))


def test_stop_after(store: Path, tmp_path: Path) -> None:
    """A limit counts hands first; what was not read to its end is read another time."""
    take_mapped(tmp_path / "more", tables("g1", "g2", "g3"), stop_after=10)
    assert len(ids(tmp_path / "more" / "store")) == 3
    take_mapped(tmp_path, tables("g1", "g2", "g3"), stop_after=2)
    assert ids(store) == ["g1", "g2"]
    take_mapped(tmp_path, tables("g1", "g2", "g3"))
    assert ids(store) == ["g1", "g2", "g3"]


@pytest.mark.parametrize("key", ["table", "match", "hand"])
def test_samples_together_are_the_whole(tmp_path: Path, key: str) -> None:
    """The hands of all parts of a sample are the whole, each once, with the hands of a cluster in one part."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(played(60) + b"".join(line(str(number), table=f"t{number % 7}") for number in range(30)))
    parts = []
    for part in range(1, 9):
        sample = tmp_path / f"part-{part}"
        summary = take(sample, log, sample=f"{key}:{part}/8")
        assert summary.total.read == 90 == summary.total.stored + summary.total.skipped
        parts.append(set(zip(column(sample, "hands", "table_id"), ids(sample), strict=True)))
    take(tmp_path / "whole", log)
    whole = list(zip(column(tmp_path / "whole", "hands", "table_id"), ids(tmp_path / "whole"), strict=True))
    assert sorted(hand for part in parts for hand in part) == sorted(whole)
    if key == "table":
        rooms = [{room for room, _ in part} for part in parts]
        assert sum(map(len, rooms)) == len(set().union(*rooms))


def test_sample_of_tables(store: Path, tmp_path: Path) -> None:
    """A sample of mapped tables has whole rooms too, and is noted; a later reading of the whole adds what it left out."""
    rows = tables(*(f"g{number}" for number in range(9)))
    rows["games"] = "".join(game(f"g{number}", room=f"r{number % 3}") for number in range(9))
    found = [take_mapped(tmp_path / str(part), rows, sample=f"table:{part}/2") for part in (1, 2)]
    stored = [summary.total.stored for summary in found]
    assert sorted(stored) in ([0, 9], [3, 6])
    assert found[0].as_json()["sample"] == "table:1/2"
    assert info(tmp_path / "1" / "store")["samples"] == ["table:1/2"]
    again = take_mapped(tmp_path / "1", rows)
    assert (again.total.stored, again.total.duplicate) == (9 - stored[0], stored[0])
    assert len(take_mapped(tmp_path / "1", rows, sample="table:2/2").unchanged) == 4


def test_sample_of_a_file_that_grows(store: Path, tmp_path: Path) -> None:
    """A sample stands for itself only: another part of the same file is read from its beginning."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(line(str(number), table=f"t{number}") for number in range(20)))
    first = take(store, log, sample="table:1/2").total
    assert take(store, log, sample="table:1/2").total == Counts()
    second = take(store, log, sample="table:2/2").total
    assert (first.stored + second.stored, second.duplicate) == (20, 0)


@pytest.mark.parametrize("text", ["table", "table:0/5", "table:6/5", "seat:1/2", "table:1/0", "table:1/2 "])
def test_what_is_no_sample(store: Path, tmp_path: Path, text: str) -> None:
    """A sample that cannot be is a usage error."""
    with pytest.raises(UsageError) as error:
        take_mapped(tmp_path, tables(), sample=text)
    assert error.value.code == "sample"


def test_dry_run(store: Path, tmp_path: Path) -> None:
    """A dry run by a mapping shows what each column of the first three hands became, what is wrong with one, and stores nothing."""
    rows = {
        **tables("g1", "g2", "g3", "g4"),
        "games": game("g1") + game("g2", state="8") + game("g3") + game("g4"),
    }
    path = write(tmp_path, rows)
    (tmp_path / "tables" / "notes.txt").touch()
    run = [
        sys.executable,
        "-c",
        "from ddz_analytics.cli import main; main()",
        "ingest",
        "tables",
        "--dry-run",
    ]
    command = [*run, "--store", str(store), "--mapping", str(path)]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    shown = result.stdout
    assert [f"games.csv:{number}\n" in shown for number in (2, 3, 4, 5)] == [True, True, True, False]
    assert "  games.room = r1 -> table = r1\n" in shown
    assert "  games.state = 1 -> outcome = complete\n" in shown
    assert "  deals.won = -192 -> score = -192\n" in shown
    assert "  plays.type = 2 -> act = pass\n" in shown
    assert "  out_of_range: the code '8' is none of 1, 0" in shown
    assert "1 file that no table of the mapping has: tables/notes.txt" in result.stderr
    assert not store.exists()


def test_dry_run_of_what_was_read(tmp_path: Path) -> None:
    """A dry run shows the first hands also where all was read before and has not changed."""
    take_mapped(tmp_path, tables("g1"))
    summary = take_mapped(tmp_path, tables("g1"), dry_run=True)
    assert (len(summary.unchanged), [hand.line for hand in summary.shown]) == (4, [2])


def test_format_and_mapping(store: Path, tmp_path: Path) -> None:
    """A mapping and the name of a format together are a usage error."""
    with pytest.raises(UsageError) as error:
        take_mapped(tmp_path, tables(), format="ddz/1")
    assert error.value.code == "mapping_format"


def test_hostile_names(store: Path, tmp_path: Path) -> None:
    """Names that look like formulas, paths or markup are kept as they are."""
    names = {"ann": '"=cmd(""x"")"', "bo": "../../etc/passwd", "cy": "<script>"}
    rows = tables()
    for name, other in names.items():
        rows = {table: text.replace(f",{name},", f",{other},") for table, text in rows.items()}
    take_mapped(tmp_path, rows)
    assert [column(store, "hands", f"player_{seat}")[0] for seat in range(3)] == ['=cmd("x")', *list(names.values())[1:]]  # fmt: skip


def test_wrong_encoding(store: Path, tmp_path: Path) -> None:
    """Rows in another encoding than the mapping says are rejected, and read where it says the right one."""
    rows = {name: text.replace("ann", "安") for name, text in tables().items()}
    heads = {name: text.encode("gb18030") for name, text in rows.items()}
    path = write(tmp_path, rows)
    for name in heads:
        file = tmp_path / "tables" / f"{name}.csv"
        file.write_bytes(file.read_text("utf-8").encode("gb18030"))
    assert take(store, tmp_path / "tables", mapping=path).total.stored == 0
    assert set(column(store, "rejected", "code")) == {"bad_encoding", "orphan_row"}
    path.write_text(MAPPING.replace('key = "gid"', 'key = "gid"\nencoding = "gb18030"'), "utf-8")
    assert take(store, tmp_path / "tables", mapping=path).total.stored == 1
    assert column(store, "hands", "player_0") == ["安"]
