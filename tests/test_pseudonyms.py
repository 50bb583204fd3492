"""Players under pseudonyms: no id is written, the same player has the same pseudonym, and keys and plain ids are not mixed."""

from __future__ import annotations

import hashlib
import hmac
import json
import stat
from pathlib import Path

import pytest

from ddz_analytics.pseudonyms import Pseudonyms, read_key
from tests.command import ddz
from tests.stores import column, line, played
from tests.test_forget import everything_below

KEY = b"correct horse battery staple"
ANN, BO = "ann-4711", "bø-4712"
IDS = (ANN, BO, "cy-4713")


def pseudonym(player: str, key: bytes = KEY) -> str:
    """By the documented recipe: p and 24 hex digits of HMAC-SHA-256."""
    return "p" + hmac.new(key, player.encode(), hashlib.sha256).hexdigest()[:24]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a key and logs that name players everywhere, some of them broken."""
    (tmp_path / "key").write_bytes(KEY + b"\n")
    (tmp_path / "key").chmod(0o600)
    (tmp_path / "logs").mkdir()
    hands = [
        line("1", players=IDS, _note={"who": ANN}, table=f"{ANN} vs {BO}", kinds=[f"guest of {ANN}", "", ""]),
        line(f"{ANN}/2", players=IDS, match=BO, actions=[{"seat": 0, "act": "pass", "sent": f"{BO}?"}]),
        line("3", players=IDS)[:-30] + b"\n" + line("4", players=IDS, **{f"x{ANN}": 1}),
        line("5", players=IDS, dealt=[ANN, BO, "3"])
        + line("6", players=IDS, started_at="2026-01-01T00:00:00"),
        line("1", players=[BO, ANN, "cy-4713"], table=f"{ANN} vs {BO}"),
    ]
    (tmp_path / "logs" / "a.jsonl").write_bytes(b"".join(hands))
    (tmp_path / "logs" / "b.txt").write_text(f"dear diary, {ANN} won\n")
    (tmp_path / "logs" / "c.jsonl").write_bytes(played(6).replace(b"synthetic-0003", ANN.encode()))
    return tmp_path


def test_no_id_is_written(folder: Path) -> None:
    """After an ingest under pseudonyms no byte below the store names a player, in hands, texts or the quarantine."""
    run = ddz("ingest", "logs", "--pseudonyms", "key", "--json", folder=folder)
    assert run.returncode == 0, run.stderr
    assert {each["code"] for each in json.loads(run.stdout)["rejected_by_code"]} == {
        "truncated", "unknown_field", "bad_cards", "naive_time", "conflict", "unsupported_mode",
    }  # fmt: skip
    content = everything_below(folder / "ddz-store")
    for player in (*IDS, "synthetic-0005", KEY.decode(), KEY.hex(), hashlib.sha256(KEY).hexdigest()):
        assert player.encode() not in content
        assert json.dumps(player)[1:-1].encode() not in content
    store = folder / "ddz-store"
    assert column(store, "hands", "player_0")[:2] == [pseudonym(ANN)] * 2
    assert column(store, "hands", "table_id")[0] == f"{pseudonym(ANN)} vs {pseudonym(BO)}"
    assert column(store, "hands", "source_hand_id")[1] == f"{pseudonym(ANN)}/2"
    assert column(store, "hands", "extra")[:2] == [None, None]
    assert set(column(store, "rejected", "raw")) == {b""}
    details = column(store, "rejected", "detail")
    records = [
        *(folder / "logs" / "a.jsonl").read_bytes().splitlines()[4:6],
        (folder / "logs" / "b.txt").read_bytes(),
    ]
    for record in records:
        digest = hmac.new(KEY, record, hashlib.sha256).hexdigest()[:32]
        assert sum(detail.endswith(f"digest {digest}") for detail in details) == 1
    assert ddz("verify", folder=folder).stdout == "the store is whole\n"


def test_nothing_changes_but_the_names(folder: Path) -> None:
    """Under pseudonyms the same hands are stored, with the same scores, and the same player has one pseudonym in all files."""
    question = "SELECT hand_id, seat, score FROM scores ORDER BY ALL"
    answers = []
    for store, options in (("plain", []), ("masked", ["--pseudonyms", "key"])):
        assert ddz("ingest", "logs", "--store", store, *options, folder=folder).returncode == 0
        ddz("rescore", "--rules", "qq-classic", "--store", store, folder=folder)
        answers.append(ddz("sql", question, "--store", store, "--format", "csv", folder=folder).stdout)
    assert answers[0] == answers[1] != ""
    for name in ("player_0", "player_1", "player_2"):
        plain, masked = (column(folder / store, "hands", name) for store in ("plain", "masked"))
        assert [pseudonym(player) for player in plain] == masked


def test_standard_input(folder: Path) -> None:
    """What comes by a pipe is not put into the store either, and is a duplicate of the same hands in a file."""
    stdin = (folder / "logs" / "c.jsonl").read_bytes()
    assert "6 read = 6 stored" in ddz("ingest", "-", "--pseudonyms", "key", folder=folder, stdin=stdin).stdout
    assert (
        "6 read = 0 stored + 6 dup"
        in ddz("ingest", "logs/c.jsonl", "--pseudonyms", "key", folder=folder).stdout
    )


def test_plain_ids_and_pseudonyms_are_not_mixed(folder: Path) -> None:
    """A store is under one key or none, and says so when it is asked for anything else."""
    (folder / "other").write_bytes(b"another key of enough bytes")
    ddz("ingest", "logs/c.jsonl", "--store", "plain", folder=folder)
    ddz("ingest", "logs/c.jsonl", "--store", "masked", "--pseudonyms", "key", folder=folder)
    for store, options, code in (
        ("plain", ["--pseudonyms", "key"], "pseudonyms_mixed"),
        ("masked", [], "pseudonyms_needed"),
        ("masked", ["--pseudonyms", "other"], "pseudonyms_key"),
    ):
        run = ddz("ingest", "logs/a.jsonl", "--store", store, *options, folder=folder)
        assert (run.returncode, f"error[{code}]" in run.stderr) == (2, True)
    assert (
        ddz("ingest", "logs/a.jsonl", "--store", "masked", "--pseudonyms", "key", folder=folder).returncode
        == 0
    )


def test_the_key_stays_outside(folder: Path) -> None:
    """A short key, one in the store or among the logs, is refused; one that others may read is noted."""
    (folder / "short").write_bytes(b"0123456789abcde\n")
    (folder / "logs" / "key").write_bytes(KEY)
    ddz("ingest", "logs/c.jsonl", "--pseudonyms", "key", folder=folder)
    (folder / "ddz-store" / "key").write_bytes(KEY)
    for paths, key, code in (
        ("logs", "short", "key_short"), ("logs", "logs/key", "key_among_logs"), ("logs", "ddz-store/key", "key_in_store"),
        ("logs", "none", "path_missing"),
    ):  # fmt: skip
        run = ddz("ingest", paths, "--pseudonyms", key, folder=folder)
        assert (run.returncode, f"error[{code}]" in run.stderr) == (2, True), run.stderr
    assert "others may read" not in ddz("ingest", "logs/c.jsonl", "--pseudonyms", "key", folder=folder).stderr
    (folder / "key").chmod((folder / "key").stat().st_mode | stat.S_IROTH)
    assert (
        "others may read the key"
        in ddz("ingest", "logs/c.jsonl", "--pseudonyms", "key", folder=folder).stderr
    )


def test_forget_by_the_plain_id(folder: Path) -> None:
    """In a store under pseudonyms a player is forgotten by his id and the key."""
    ddz("ingest", "logs/a.jsonl", "--pseudonyms", "key", folder=folder)
    assert ddz("forget", ANN, folder=folder).returncode == 2
    run = ddz("forget", ANN, "--pseudonyms", "key", folder=folder)
    assert run.stdout.startswith("2 hands have forgotten in the place of the id")
    assert pseudonym(ANN).encode() not in everything_below(folder / "ddz-store")


def test_check_values_tell_nothing_but_the_same_key() -> None:
    """A check value is salted anew each time, and fits its key alone."""
    one, other = Pseudonyms(KEY), Pseudonyms(KEY + b"!")
    assert one.check_value() != one.check_value()
    assert one.is_checked_by(one.check_value())
    assert not other.is_checked_by(one.check_value())


def test_line_ends_of_a_key_file_do_not_count(tmp_path: Path) -> None:
    """The key is the same whether an editor put a line end after it or not."""
    for number, end in enumerate((b"", b"\n", b"\r\n")):
        (tmp_path / str(number)).write_bytes(KEY + end)
        assert read_key(tmp_path / str(number)).of(ANN) == pseudonym(ANN)
