"""The documentation of declared facts has every column, and no other; what it shows works."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from ddz_analytics.declared.names import GIVEN_ANEW, OF_A_ROLE, OF_A_ROW, OF_A_SEAT, OF_FACTS, OF_THE_HAND
from ddz_analytics.schema import ROLES
from tests.facts_rows import ask, declare

DOCUMENT = (Path(__file__).parents[1] / "docs" / "facts.md").read_text("utf-8")


def listed(heading: str) -> list[str]:
    """The columns in the table below a heading."""
    section = DOCUMENT[DOCUMENT.index(f"## {heading}\n") :].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def test_every_column_is_documented_once() -> None:
    """Each column stands in the table where it belongs, those of roles without their prefix."""
    by_role = {f"{role}_{name}" for role in ROLES for name in OF_A_ROLE}
    assert sorted(listed("The hand")) == sorted(OF_THE_HAND)
    assert sorted(listed("The seats")) == sorted(OF_A_SEAT)
    assert sorted(listed("What settling reads")) == sorted(set(OF_FACTS) - by_role)
    assert sorted(listed("What settling reads of each role")) == sorted(OF_A_ROLE)


def test_other_names_are_documented() -> None:
    """What is given anew, and the names of a table with a row for each seat, are told of."""
    named = set(re.findall(r"`(\w+)`", DOCUMENT))
    assert named >= {*GIVEN_ANEW, *OF_A_ROW, "seat", "role", "won"}


def test_example_of_a_mapping_works(tmp_path: Path) -> None:
    """The mapping that is shown reads a row as it says."""
    example = textwrap.dedent(
        re.findall(r'^    format = "facts"\n(?:(?:    .*)?\n)+', DOCUMENT, re.MULTILINE)[0]
    )
    (tmp_path / "m.toml").write_text(example, "utf-8")
    head = "game_id;dizhu;result;bomb_count;rocket_count;spring;begin;gold_after;win_gold"
    (tmp_path / "a.csv").write_text(f"{head}\n7;3;2;0;1;NULL;1767323045000;150;-850\n", "gb18030")
    declare(tmp_path / "s", tmp_path / "a.csv", mapping=tmp_path / "m.toml")
    query = "SELECT landlord_seat, winner_side, rockets, spring, landlord_balance FROM settle_facts"
    assert ask(tmp_path / "s", query) == [(2, "peasants", 1, "none", 10)]
    assert ask(tmp_path / "s", "SELECT epoch(started_at), recorded_rules FROM hands") == [
        (1767323045.0, "jj-classic")
    ]
