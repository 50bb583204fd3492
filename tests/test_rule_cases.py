"""Every rule case of `tests/cases/`, and of the files named in `DDZ_EXTRA_CASES`, through the public functions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

from tests.case_adapter import Case, load_cases, run_case
from tests.case_facts import UnknownWord

FOLDER = Path(__file__).parent / "cases"
EXTRA = "DDZ_EXTRA_CASES"


def _files() -> list[Path]:
    extra = [Path(name) for name in os.environ.get(EXTRA, "").split(":") if name]
    return [*sorted(FOLDER.glob("*.json")), *extra]


def _parameters() -> list[ParameterSet]:
    return [
        pytest.param(case, id=f"{path.stem}-{case['id']}") for path in _files() for case in load_cases(path)
    ]


@pytest.mark.parametrize("case", _parameters())
def test_rule_case(case: Case) -> None:
    """What the rule pages say of one set of cards, one play upon another, one auction or one score comes out."""
    run_case(case)


def test_own_files_stand_on_their_own() -> None:
    """There are at least 170 cases, each with an id of its own in its file, a derivation and a source."""
    number = 0
    for path in sorted(FOLDER.glob("*.json")):
        cases = load_cases(path)
        assert len({case["id"] for case in cases}) == len(cases)
        assert all(case["derivation"] and case["source"] for case in cases)
        number += len(cases)
    assert number >= 170


SCORED: Case = {
    "id": "X", "kind": "scoring", "ruleset": "qq_classic", "facts": {"landlord": 0, "bid": 1, "winner": "landlord"},
    "expect": {"scores": {"seat0": 2, "seat1": -1, "seat2": -1}},
}  # fmt: skip
HELD: Case = {
    "id": "X", "kind": "auction", "ruleset": "qq_classic", "facts": {"first": 0, "actions": [[0, 3]]}, "expect": {"landlord": 0},
}  # fmt: skip
READ: Case = {"id": "X", "kind": "combination", "cards": "33", "expect": {"legal": True}}
COMPARED: Case = {
    "id": "X", "kind": "comparison", "prev": {"cards": "3"}, "play": {"cards": "4"}, "expect": {"beats": True},
}  # fmt: skip


def _with(case: Case, *path: str, value: Any = 1) -> Case:
    """The case with one more word at a place in it."""
    head, *rest = path
    inner = value if not rest else _with(case.get(head, {}), *rest, value=value)
    return {**case, head: inner}


@pytest.mark.parametrize("case", [SCORED, HELD, READ, COMPARED])
def test_a_remark_changes_nothing(case: Case) -> None:
    """A case may hold remarks, in itself and among its expectations."""
    run_case(_with(_with(case, "note", value="a remark"), "expect", "hold_back"))


@pytest.mark.parametrize(
    "case",
    [
        *(_with(case, "colour") for case in (SCORED, HELD, READ, COMPARED)),
        *(_with(case, "expect", "colour") for case in (SCORED, HELD, READ, COMPARED)),
        *(_with(case, "options", "colour") for case in (SCORED, HELD, READ, COMPARED)),
        *(_with(case, "facts", "colour") for case in (SCORED, HELD)),
        _with(SCORED, "kind", value="tale"),
        _with(SCORED, "facts", "spring", value="summer"),
        _with(SCORED, "facts", "doubles", value=[3]),
        _with(SCORED, "facts", "open", value=[{"seat": 0, "stage": "start", "colour": 1}]),
        _with(SCORED, "facts", "open", value=[{"seat": 0, "stage": "late"}]),
        {**SCORED, "facts": {"escape": {"seat": 0, "stage": "late"}}},
        _with(_with(SCORED, "facts", "unit", value=40), "facts", "bombs", value=1),
        _with(SCORED, "expect", "alternatives", value={"colour": 1}),
        _with(HELD, "facts", "actions", value=[[0, "perhaps"]]),
        _with(COMPARED, "prev", "colour"),
        _with(COMPARED, "prev", "reading", value={"colour": 1}),
    ],
)
def test_unknown_word_fails(case: Case) -> None:
    """A word that nothing stands for fails its case, wherever it stands; it is never passed over."""
    with pytest.raises(UnknownWord):
        run_case(case)


def test_unknown_format_is_refused(tmp_path: Path) -> None:
    """A file in another format is not taken for one of ours."""
    path = tmp_path / "other.json"
    path.write_text('{"format": "other", "cases": []}')
    with pytest.raises(UnknownWord):
        load_cases(path)


@pytest.mark.parametrize("case", [SCORED, HELD, READ, COMPARED])
def test_wrong_expectation_fails(case: Case) -> None:
    """A case that expects something else than what comes out fails."""
    wrong = {name: None for name in case["expect"]}
    with pytest.raises(AssertionError):
        run_case({**case, "expect": wrong})
