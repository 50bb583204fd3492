"""`ddz forget` and `ddz remove`: what leaves a store leaves no byte behind, and the rest stays as it was."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ddz_analytics.names import occurs_in, replacing
from ddz_analytics.parsers import parsers
from ddz_analytics.store import open_writer
from ddz_analytics.verify import verify
from tests.command import ddz
from tests.stores import apart, column, line, lines, played, take
from tests.test_store import POINTS

ID = "xén-4711"
ESCAPED = json.dumps(ID)[1:-1].encode()


def everything_below(folder: Path) -> bytes:
    """All bytes below a folder, names of files and the values within Parquet parts included."""
    found = []
    for path in sorted(folder.rglob("*")):
        found.append(str(path.relative_to(folder)).encode())
        if path.is_file():
            found.append(path.read_bytes())
        if path.suffix == ".parquet":
            found.append(repr(pq.read_table(path).to_pylist()).encode())
    return b"\n".join(found)


def holds_the_id(content: bytes) -> bool:
    """Whether the id stands in some bytes, in any of the ways in which it could be written."""
    ways = [ID.encode(), ID.encode("utf-16-le"), ID.encode("gb18030"), ESCAPED]
    return any(way in content for way in ways)


@pytest.fixture
def folder(grown: Path, tmp_path: Path) -> Path:
    """A copy of `grown` of one's own."""
    shutil.copytree(grown, tmp_path, dirs_exist_ok=True)
    with open_writer(tmp_path / "ddz-store"):  # the views are built for this place
        return tmp_path


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store in which one player's id hides wherever it can, scored, and grown by several ingests."""
    tmp_path = tmp_path_factory.mktemp("grown")
    with_him = {"players": [ID, "bo", "cy"], "table": f"{ID}'s table", "match": f"cup of {ID}"}
    hidden = [
        line("1", **with_him, kinds=["human", f"guest of {ID}", "bot"]),
        line(f"{ID}/2", players=["bo", "cy", "di"], _note={"seen_by": [ID], ID: 4711}),
        line("3", **with_him, _uid=ID) + b'{"format":"ddz/1","players":["' + ESCAPED + b'"]}\n',
        line("4", **with_him)[:-30] + b"\n" + line("5", **{f"x {ID}": 1}),
        line("6", actions=[{"seat": 0, "act": "pass", "sent": f"{ID}: pass"}]),
    ]
    (tmp_path / f"logs of {ID}").mkdir()
    (tmp_path / "log.jsonl").write_bytes(b"".join(hidden))
    (tmp_path / f"logs of {ID}" / "a.jsonl").write_bytes(line("7") + b"nonsense\n")
    hands = played(12).replace(b"synthetic-0003", ID.encode())
    (tmp_path / "played.jsonl").write_bytes(hands)
    for source in ("log.jsonl", f"logs of {ID}", "played.jsonl"):
        assert ddz("ingest", source, "--quiet", folder=tmp_path).returncode == 0
    assert ddz("rescore", "--rules", "jj-classic,qq-classic", folder=tmp_path).returncode == 0
    assert ddz("rescore", "--rules", "qq-classic", "--balances", "chained", folder=tmp_path).returncode == 0
    return tmp_path


def answer(folder: Path, question: str) -> list[dict[str, Any]]:
    run = ddz("sql", question, "--format", "json", folder=folder)
    assert run.returncode == 0, run.stderr
    rows: list[dict[str, Any]] = json.loads(run.stdout)
    return rows


SCORES = "SELECT hand_id, seat, rule_set, score FROM scores WHERE scenario = 'recorded' ORDER BY ALL"


def test_forgotten_to_the_last_byte(folder: Path) -> None:
    """After `forget` no file below the store holds the id, while every hand, score and other player is as before."""
    store = folder / "ddz-store"
    assert holds_the_id(everything_below(store))
    hands, scores = column(store, "hands", "hand_id"), answer(folder, SCORES)
    others = (
        "SELECT hand_id, seat, player FROM hand_seats WHERE player NOT IN ('forgotten', '{}') ORDER BY ALL"
    )
    before = answer(folder, others.format(ID))
    run = ddz("forget", ID, folder=folder)
    assert run.returncode == 0, run.stderr
    assert not holds_the_id(everything_below(store))
    assert column(store, "hands", "hand_id") == hands
    assert answer(folder, SCORES) == scores
    assert answer(folder, others.format(ID)) == before
    assert ddz("verify", folder=folder).stdout == "the store is whole\n"
    assert answer(folder, "SELECT count(*) AS n FROM scores WHERE scenario = 'chained'") == [{"n": 0}]
    told = "SELECT extra::VARCHAR AS extra FROM hands WHERE extra IS NOT NULL ORDER BY hand_id"
    assert [row["extra"] for row in answer(folder, told)] == [
        '{"_note":{"seen_by":["forgotten"],"forgotten":4711}}',
        '{"_uid":"forgotten"}',
    ]


def test_what_forgetting_would_change(folder: Path) -> None:
    """A dry run counts what would change and changes nothing."""
    store = folder / "ddz-store"
    before = everything_below(store)
    found = json.loads(ddz("forget", ID, "--dry-run", "--json", folder=folder).stdout)
    sat = len(answer(folder, f"SELECT DISTINCT hand_id FROM hand_seats WHERE player = '{ID}'"))
    assert (found["hands"], found["named_elsewhere"], found["rejected"]) == (sat, 3, 3)
    assert found["files"] == ["log.jsonl", f"logs of {ID}/a.jsonl", "played.jsonl"]
    assert everything_below(store).count(b"parquet") == before.count(b"parquet")
    assert holds_the_id(everything_below(store))


def test_a_newer_parser_does_not_bring_the_id_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in which somebody was forgotten is not read again by itself; `--reparse` reads it, because that was asked for."""
    assert ddz("forget", ID, folder=folder).returncode == 0
    monkeypatch.chdir(folder)
    monkeypatch.setattr(parsers()["ddz/1"], "version", 99)
    take(folder / "ddz-store", "log.jsonl", "played.jsonl")
    assert not holds_the_id(everything_below(folder / "ddz-store"))
    take(folder / "ddz-store", "log.jsonl", reparse=True)
    assert holds_the_id(everything_below(folder / "ddz-store"))


FORGET = """
import sys
from pathlib import Path
from ddz_analytics.forget import forget
forget(Path(sys.argv[1]), sys.argv[2])
"""


@pytest.mark.parametrize("point", POINTS)
def test_killed_while_forgetting(tmp_path: Path, point: str) -> None:
    """Killed at any point the store is whole, with the id everywhere or nowhere in its views; run again, no byte of it is left."""
    store = tmp_path / "store"
    (tmp_path / "log").write_bytes(
        lines(0, 3) + line("9", players=["bo", ID, "cy"]) + b'["' + ID.encode() + b'"]'
    )
    take(store, tmp_path / "log")
    assert apart(FORGET, store, ID, crash_at=point).returncode == -9
    assert verify(store) == []
    assert column(store, "hands", "player_1")[3] in (ID, "forgotten")
    apart(FORGET, store, ID)
    assert column(store, "hands", "player_1")[3] == "forgotten"
    assert not holds_the_id(everything_below(store))


def test_unknown_player(folder: Path) -> None:
    """An id that is nowhere is an error and no empty success."""
    for nobody in ("nobody", "", "forgotten"):
        run = ddz("forget", nobody, folder=folder)
        assert (run.returncode, run.stderr[:21]) == (2, "error[player_unknown]")


def test_two_who_were_forgotten(folder: Path) -> None:
    """Two who were forgotten have the same name, which chained balances take for nobody's."""
    assert ddz("forget", ID, folder=folder).returncode == 0
    assert ddz("forget", "synthetic-0005", folder=folder).returncode == 0
    run = ddz("rescore", "--rules", "qq-classic", "--balances", "chained", folder=folder)
    assert run.returncode == 0, run.stderr
    assert ddz("verify", folder=folder).stdout == "the store is whole\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ann", "*"),
        ("ann-vs-bo", "*-vs-bo"),
        ("anna", "anna"),
        ("x_ann.9", "x_*.9"),
        ("joann ann", "joann *"),
        ("Ann", "Ann"),
    ],
)
def test_an_id_is_found_by_itself_only(text: str, found: str) -> None:
    """An id is replaced where it stands by itself, not within a longer word."""
    assert replacing({"ann": "*"})(text) == found
    assert replacing({"张三": "*"})("张三的桌") == "*的桌"


def test_an_id_in_bytes_of_any_encoding() -> None:
    """An id is found in a record in UTF-8, GB18030, UTF-16 and with JSON's escapes, and not in a longer word."""
    for raw in (
        ID.encode(),
        ID.encode("gb18030"),
        ID.encode("utf-16"),
        b'"' + ESCAPED + b'"',
        b"\xff" + ID.encode(),
    ):
        assert occurs_in(raw, ID)
    assert not occurs_in(b"xen-4711 joann", "ann")


def test_remove_a_source(tmp_path: Path) -> None:
    """`remove` takes out all that came of a file, and of nothing else, with its scores; the freed hands can come again."""
    (tmp_path / "a.jsonl").write_bytes(played(4) + b"{}\n")
    (tmp_path / "b.jsonl").write_bytes(played(6) + b"[]\n")
    for name in ("a.jsonl", "b.jsonl"):
        ddz("ingest", name, folder=tmp_path)
    ddz("rescore", "--rules", "qq-classic", folder=tmp_path)
    run = ddz("remove", "--source", "a.jsonl", folder=tmp_path)
    assert run.stdout == "removed a.jsonl\n4 hands and 1 rejected record are gone\n"
    assert "4 records of other files were duplicates" in run.stderr
    store = tmp_path / "ddz-store"
    assert column(store, "hands", "source_path") == ["b.jsonl"] * 2
    assert column(store, "settlements", "hand_id") == [5, 6]
    assert column(store, "rejected", "source_path") == ["b.jsonl"]
    assert column(store, "source_files", "path") == ["b.jsonl"]
    assert b"a.jsonl" not in everything_below(store)
    assert ddz("verify", folder=tmp_path).stdout == "the store is whole\n"
    assert "6 read = 5 stored" not in ddz("ingest", "a.jsonl", folder=tmp_path).stdout
    assert len(column(store, "hands", "hand_id")) == 6
    unknown = ddz("remove", "--source", "c.jsonl", folder=tmp_path)
    assert (unknown.returncode, unknown.stderr[:21]) == (2, "error[source_unknown]")


def test_remove_a_rule_set(tmp_path: Path) -> None:
    """The scores of a rule set go, in both scenarios, and nothing else; it is scored again when it is asked for."""
    (tmp_path / "a.jsonl").write_bytes(played(4))
    ddz("ingest", "a.jsonl", folder=tmp_path)
    for balances in ("recorded", "chained"):
        ddz("rescore", "--rules", "qq-classic,jj-classic", "--balances", balances, folder=tmp_path)
    run = ddz("remove", "--rules", "jj-classic", folder=tmp_path)
    assert run.stdout == "8 hand settlements under jj-classic are gone; the hands stay\n"
    store = tmp_path / "ddz-store"
    assert column(store, "settlements", "rule_set") == ["qq-classic"] * 8
    assert column(store, "rule_sets", "rule_set") == ["qq-classic"]
    assert column(store, "hands", "hand_id") == [1, 2, 3, 4]
    assert ddz("verify", folder=tmp_path).stdout == "the store is whole\n"
    again = ddz("remove", "--rules", "jj-classic", folder=tmp_path)
    assert (again.returncode, again.stderr.split("]")[0]) == (2, "error[scores_unknown")
    assert "scored are qq-classic" in again.stderr
    for words in ((), ("--rules", "qq-classic", "--source", "a.jsonl")):
        assert ddz("remove", *words, folder=tmp_path).stderr.startswith("error[remove_options]")


def test_remove_a_folder(tmp_path: Path) -> None:
    """A folder stands for all files below it, and for no other whose name begins like it."""
    for name in ("logs/a.jsonl.gz", "logs/deep/b.jsonl.gz", "logs2.jsonl.gz"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        number = len(name)
        (tmp_path / name).write_bytes(gzip.compress(lines(number, number + 1)))
    ddz("ingest", "logs", "logs2.jsonl.gz", folder=tmp_path)
    assert ddz("remove", "--source", "logs/", folder=tmp_path).returncode == 0
    assert column(tmp_path / "ddz-store", "hands", "source_path") == ["logs2.jsonl.gz"]
