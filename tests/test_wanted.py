"""Which rule set a question takes that names none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ddz_analytics.ingest import Options, ingest
from ddz_analytics.wanted import recorded_baseline
from tests.command import ddz
from tests.parsing import SAMPLES

LINES = gzip.decompress((SAMPLES / "simulated" / "jj-classic.ddz.jsonl.gz").read_bytes()).splitlines()[:6]


@pytest.mark.parametrize(
    ("names", "taken", "told"),
    [
        (["jj-classic"] * 6, "jj-classic", []),
        ([None] * 6, "qq-classic", []),
        (["jj-classic"] * 5 + ["jj-clasic"], "qq-classic",
         ["jj-classic (5 hands)", "jj-clasic (1 hand; no such rule set, nearest: jj-classic)", "qq-classic is taken"]),
        (["house"] * 6, "qq-classic", ["house (6 hands; no such rule set", "qq-classic is taken"]),
    ],
)  # fmt: skip
def test_one_misspelt_rule_set_is_told(
    names: list[str | None], taken: str, told: list[str], tmp_path: Path
) -> None:
    """Without a name the one recorded rule set is taken; where hands disagree or name an unknown one, it is said which and how many."""
    hands = [
        json.loads(line) | ({} if name is None else {"rules": name})
        for line, name in zip(LINES, names, strict=True)
    ]
    if names[0] is None:
        hands = [{key: value for key, value in hand.items() if key != "rules"} for hand in hands]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, hands)))
    ingest(tmp_path / "store", [str(tmp_path / "log.jsonl")], Options())
    notes: list[str] = []
    assert recorded_baseline(tmp_path / "store", notes.append) == taken
    assert len(notes) == bool(told)
    assert all(words in notes[0] for words in told)
    shown = ddz("explain", "1", "--store", tmp_path / "store", folder=tmp_path)
    assert shown.returncode == 0
    assert ("is taken" in shown.stderr) == (names[0] == "house")
