"""`ddz rules` and grids as a user meets them: what is written, warned about, refused and printed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ddz_analytics.rules import load_rules
from tests.command import ddz
from tests.rule_files import MINE, write
from tests.test_cli import SAMPLES

JJ, SPIEL = SAMPLES / "simulated" / "jj-classic.ddz.jsonl.gz", SAMPLES / "open-spiel" / "playouts.jsonl"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of simulated hands and of hands with recorded scores."""
    folder = tmp_path_factory.mktemp("rules")
    assert ddz("ingest", JJ, SPIEL, "--quiet", folder=folder).returncode == 0
    return folder


def test_new_rule_file_is_good_and_is_not_overwritten(tmp_path: Path) -> None:
    """`new` writes a file that `check` finds good, names its hash, and leaves an existing one alone."""
    run = ddz(
        "rules", "new", "mine", "--extends", "jj-bomb+cap-4", "--set", "house.rake=0.05", folder=tmp_path
    )
    rules = load_rules("jj-bomb+cap-4[house.rake=0.05]")
    assert (run.returncode, run.stdout) == (0, f"mine.toml: mine {rules.rule_hash}, extends jj-bomb\n")
    checked = ddz("rules", "check", "mine.toml", folder=tmp_path)
    assert checked.returncode == 0
    assert checked.stdout.startswith(f"mine {rules.rule_hash}: differs from jj-bomb in\n")
    again = ddz("rules", "new", "mine", "--extends", "qq-classic", folder=tmp_path)
    assert (again.returncode, again.stderr[:19]) == (2, "error[file_exists]:")
    assert load_rules(str(tmp_path / "mine.toml")).rule_hash == rules.rule_hash


def test_new_file_beside_ones_own_base(tmp_path: Path) -> None:
    """A file may extend an own file, from another folder too, and says the same as the base until something is set."""
    (tmp_path / "deep").mkdir()
    write(tmp_path, "base.toml", MINE)
    run = ddz("rules", "new", "more", "--extends", "base.toml", "-o", "deep/more.toml", folder=tmp_path)
    assert run.returncode == 0 and "says the same as mine" in run.stderr
    assert 'extends = "../base.toml"' in (tmp_path / "deep" / "more.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["mine", "--extends", "jj-bom"], "rules_unknown"),
        (["mine", "--extends", "jj-bomb", "--set", "cap.doublings=3,4"], "rule_set"),
        (["mine", "--extends", "jj-bomb", "--set", "cap.doubling=3"], "rule_key"),
        (["my own", "--extends", "jj-bomb"], "rule_label"),
        (["happy", "--extends", "jj-bomb"], "rules_id_taken"),
        (["mine", "--extends", "jj-bomb", "-o", "mine.txt"], "rules_spec"),
        (["mine", "--extends", "jj-bomb", "-o", "no/mine.toml"], "path_missing"),
    ],
)
def test_new_file_that_would_not_load_is_not_left_behind(
    arguments: list[str], code: str, tmp_path: Path
) -> None:
    """A bad base, setting, id or place is one line with a code, and no file is there afterwards."""
    run = ddz("rules", "new", *arguments, folder=tmp_path)
    assert (run.returncode, run.stderr.partition("]")[0]) == (2, f"error[{code}")
    assert len(run.stderr.splitlines()) == 1 and list(tmp_path.iterdir()) == []


def test_check_leaves_with_1(tmp_path: Path) -> None:
    """Faults leave with 1, each on a line; what changes nothing only with `--strict`."""
    write(tmp_path, "bad.toml", MINE.replace("doublings", "doubling"))
    write(tmp_path, "idle.toml", MINE.replace("doublings = 3", 'doublings = "none"'))
    bad = ddz("rules", "check", "bad.toml", folder=tmp_path)
    assert (bad.returncode, bad.stdout.splitlines()) == (
        1, ["error[rule_key]: unknown key cap.doubling, bad.toml:9, nearest: cap.doublings", "bad.toml: 1 fault"],
    )  # fmt: skip
    assert ddz("rules", "check", "idle.toml", folder=tmp_path).returncode == 0
    strict = ddz("rules", "check", "idle.toml", "--strict", "--json", folder=tmp_path)
    assert strict.returncode == 1
    assert json.loads(strict.stdout)["changes_nothing"][0] == "it says the same as jj-classic"


def test_complete_rule_file(tmp_path: Path) -> None:
    """`show --format toml` is a rule file of the same hash."""
    run = ddz("rules", "show", "casino-capped", "--format", "toml", folder=tmp_path)
    path = write(tmp_path, "copy.toml", run.stdout)
    assert load_rules(path).rule_hash == load_rules("casino-capped").rule_hash


def test_small_grid_is_compared_in_full(folder: Path) -> None:
    """A grid without `--against` varies the baseline, stores the few variants, and shows every hash."""
    arguments = ("--baseline", "jj-classic", "--set", "cap.doublings=1,none", "--format", "json")
    run = ddz("compare", *arguments, folder=folder)
    tables = json.loads(run.stdout)
    names = ["jj-classic", "jj-classic[cap.doublings=1]", "jj-classic[cap.doublings=none]"]
    assert [(row["rule_set"], row["rule_hash"]) for row in tables["overview"]] == [
        (name, load_rules(name).rule_hash) for name in names
    ]
    assert "jj-classic[cap.doublings=none] differs from jj-classic in no parameter" in run.stderr
    assert {row["rule_set"] for row in tables["difference to the baseline by role"]} == set(names[1:])


def test_large_grid_is_one_row_a_variant(folder: Path) -> None:
    """A grid of two hundred variants prints a row for each and stores nothing, on the rule sets of `--against`."""
    before = (folder / "ddz-store" / "manifest.json").read_bytes()
    grid = (
        "--set",
        "cap.doublings=0,1,2,3,none",
        "--set",
        "events.bomb=1,2,3,4",
        "--set",
        "events.rocket=1,2,3,4,5",
    )
    run = ddz(
        "compare",
        "--baseline",
        "jj-classic",
        "--against",
        "jj-bomb,qq-classic",
        *grid,
        "--format",
        "csv",
        folder=folder,
    )
    overview = run.stdout.partition("\n")[2].partition("\n\n")[0].partition("\r\n\r\n")[0]
    rows = list(csv.DictReader(io.StringIO(overview)))
    assert len(rows) == 201
    assert {row["rule_set"].partition("[")[0] for row in rows[1:]} == {"jj-bomb", "qq-classic"}
    assert {row["rule_hash"] for row in rows[:2]} == {
        load_rules(row["rule_set"]).rule_hash for row in rows[:2]
    }
    assert (folder / "ddz-store" / "manifest.json").read_bytes() == before
    assert "200 variants are counted and not stored" in run.stderr


def test_report_draws_a_large_grid_and_shows_its_ends(folder: Path) -> None:
    """A grid of many variants is counted and drawn; hand by hand the report shows those at its ends."""
    grid = ("--set", "cap.doublings=0,1,2,3,4,5,6,7,8")
    run = ddz("report", "--baseline", "jj-classic", *grid, "-o", "r.html", folder=folder)
    assert run.returncode == 0
    twin = json.loads((folder / "r.json").read_text("utf-8"))
    assert len(twin["grid"]["rows"]) == 9
    assert twin["others"] == ["jj-classic[cap.doublings=0]", "jj-classic[cap.doublings=8]"]


def test_overlay_and_file_that_change_nothing_are_warned_about(folder: Path, tmp_path: Path) -> None:
    """`rescore` and `compare` say that an overlay or an own file changes nothing, and still do what was asked."""
    path = write(tmp_path, "idle.toml", MINE.replace("doublings = 3", 'doublings = "none"'))
    scored = ddz("rescore", "--rules", f"qq-classic+no-liability,{path}", folder=folder)
    assert "note: +no-liability changes nothing in qq-classic" in scored.stderr
    assert "note: mine says the same as jj-classic, which it extends" in scored.stderr
    assert f"mine {load_rules(path).rule_hash}: 480 hands settled" in scored.stdout
    compared = ddz("compare", "--baseline", path, "--against", "qq-classic+no-liability", folder=folder)
    assert "changes nothing in qq-classic" in compared.stderr and "mine says the same" in compared.stderr
    assert "note" not in ddz("rescore", "--quiet", "--rules", "qq-classic+no-liability", folder=folder).stderr


def test_hash_in_the_summary(folder: Path) -> None:
    """The JSON summary of `rescore` and `explain` name each rule set's hash."""
    scored = json.loads(ddz("rescore", "--rules", "jj-classic", "--json", folder=folder).stdout)
    assert scored["rule_hashes"] == {"jj-classic": load_rules("jj-classic").rule_hash}
    for form in ((), ("--json",)):
        explained = ddz("explain", "1", "--rules", "jj-classic", *form, folder=folder)
        assert load_rules("jj-classic").rule_hash in explained.stdout


def test_infer_names_the_rules_of_recorded_scores(folder: Path) -> None:
    """The playouts' scores are those of the QQ rules; the JSON answer counts, ranks and tells what cannot be told."""
    run = ddz("rules", "infer", "--json", "--top", "3", folder=folder)
    found = json.loads(run.stdout)
    first = found["ranking"][0]
    assert (first["place"], first["rule_set"], first["different"]) == ("1", "qq-classic", 0)
    assert found["formats"] == {"open-spiel": 80} and len(found["ranking"]) == 3
    assert (
        first["reproduced"] + first["undefined"] == 80
        and first["rule_hash"] == load_rules("qq-classic").rule_hash
    )
    assert "double.factor" in found["cannot_tell"]
    assert all(row["recorded"] == row["first"] for row in found["telling"])


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("recorded_score > 10000000", "error[no_recorded_scores]"),
        ("nonsense = 1", "error[sql_name]"),
        ("1=1); DROP", "error[sql"),
    ],
)
def test_infer_of_no_hands(where: str, told: str, folder: Path) -> None:
    """A condition that chooses no hand with scores, or is none, ends in one line."""
    run = ddz("rules", "infer", "--where", where, folder=folder)
    assert (run.returncode in (2, 3), len(run.stderr.splitlines())) == (True, 1)
    assert told in run.stderr


def test_distinguish(folder: Path) -> None:
    """Two rule sets are told apart by the store's smallest hands, and by synthetic facts without a store."""
    found = json.loads(ddz("rules", "distinguish", "jj-classic", "jj-bomb", "--json", folder=folder).stdout)
    assert found["a"] == {"id": "jj-classic", "rule_hash": load_rules("jj-classic").rule_hash}
    assert found["hands"] == 480 and found["differing"] > 0 and found["synthetic_facts"] == 0
    assert [each["actions"] for each in found["examples"]] == sorted(
        each["actions"] for each in found["examples"]
    )
    text = ddz("rules", "distinguish", "jj-classic", "jj-bomb", "--synthetic", folder=folder.parent)
    assert text.returncode == 0 and "2 bombs -80/40/40/0 -60/30/30/0" in " ".join(text.stdout.split())


def test_distinguish_says_that_nothing_differs(folder: Path) -> None:
    """Rule sets that differ in nothing, or in keys that cannot act, are said to give the same, among how many."""
    same = ddz("rules", "distinguish", "happy", "happy", "--synthetic", folder=folder)
    assert same.stdout.splitlines()[-1] == "they do not differ in any key"
    idle = ddz("rules", "distinguish", "jj-classic", "jj-classic[autoplay.bid_seconds=5]", folder=folder)
    assert "acts at replay" in idle.stdout and "none differs, and none of" in idle.stdout
    assert (
        ddz("rules", "distinguish", "happy", "jj-bomb", "--store", "nowhere", folder=folder).returncode == 3
    )


def test_own_rule_file_wherever_a_rule_set_is_named(folder: Path, tmp_path: Path) -> None:
    """The path of a rule file stands for a rule set in every command that takes one."""
    path = write(tmp_path, "mine.toml", MINE)
    commands = (
        ("rules", "show", path), ("rules", "diff", "happy", path), ("rules", "distinguish", path, "jj-bomb"),
        ("rescore", "--rules", path), ("compare", "--baseline", path, "--against", "jj-bomb"),
        ("explain", "1", "--rules", path, "--vs", f"{path}+no-liability"),
        ("report", "--baseline", "jj-bomb", "--against", path, "-o", "own.html"),
        ("simulate", "--rules", path, "--hands", "3"),
    )  # fmt: skip
    for command in commands:
        run = ddz(*command, folder=folder)
        assert run.returncode == 0, (command, run.stderr)


def test_reference_of_keys(tmp_path: Path) -> None:
    """`ddz rules doc` writes Markdown to a file, in Chinese too."""
    assert ddz("rules", "doc", "--lang", "zh", "-o", "keys.md", folder=tmp_path).returncode == 0
    assert "| `cap.doublings` |" in (tmp_path / "keys.md").read_text("utf-8")
