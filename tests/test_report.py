"""The report as two files: what they say, that they say it twice the same, and that no text in them can act."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64encode
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.comparison import Comparison
from ddz_analytics.errors import DdzError
from ddz_analytics.info import info
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.pages import in_script
from ddz_analytics.report import Report, write_report
from ddz_analytics.report.figures import bounds
from ddz_analytics.report.page import BUNDLE, bundle_version
from ddz_analytics.report.questions import Questions
from ddz_analytics.report.wording import exact, on_axis, prose, share, signed
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import RuleSet, load_rules, shipped_rules, variants
from ddz_analytics.store.catalog import Connection
from tests.reports import HOSTILE, plain_text, report_on, simulated
from tests.stores import take

SIZE_LIMIT = 3_000_000


def _asked(views: Connection, name: str) -> list[dict[str, Any]]:
    return Questions(Comparison(views, "jj-classic", ("own-share",))).ask(name).rows()


def test_verdict_counts_changed_hands_and_what_changes_owner(views: Connection) -> None:
    """Of hands that both rule sets score it counts those that change, and adds up what seats and house gain that gain."""
    # hands 1, 3, 4, 6; hand 1: 40 from down to up, hand 4: 60 from the house to the peasants, hand 6: 32 from down to up
    (found,) = _asked(views, "comparison/changed")
    assert found == {
        "rule_set": "own-share", "hands": 4, "left_out": 1, "changed": 3, "projected": 1, "moved": Decimal(132),
        "landlord": Decimal(0), "peasants": Decimal(60), "house": Decimal(-60),
        "won_baseline": Decimal(144), "won_other": Decimal(204), "house_baseline": Decimal(60), "house_other": Decimal(0),
        "days": None,
    }  # fmt: skip


def test_scores_are_spread_over_steps_of_doubling(views: Connection) -> None:
    """A score stands in the step from the power of two at or below it, by role and for both rule sets."""
    rows = _asked(views, "comparison/distribution")
    landlord = {row["step"]: (row["baseline"], row["other"]) for row in rows if row["role"] == "landlord"}
    assert landlord == {8: (2, 2), -7: (1, 1)}  # 80 and 64 are in 64 to below 128, -60 in 32 to below 64
    down = {row["step"]: (row["baseline"], row["other"]) for row in rows if row["role"] == "landlord_down"}
    assert down == {0: (3, 0), -7: (0, 2), 6: (0, 1)}  # three zeros; -40 and -32, and 30 in 16 to below 32
    assert [bounds(step) for step in (1, 2, 3, 8)] == [(0, 1), (1, 2), (2, 4), (64, 128)]


def test_recorded_scores_count_hands_by_their_worst_verdict(views: Connection) -> None:
    """A hand with recorded scores counts once."""
    assert _asked(views, "reconciled") == [{"verdict": "exact", "cause": None, "hands": 1}]


def test_condition_chooses_hands(samples: Path) -> None:
    """With a condition the report is about the hands that fit it, and says so."""
    report = report_on(samples, where="source_format = 'open-spiel'")
    twin = json.loads(report.twin)
    assert twin["answers"]["hands"]["rows"][0]["hands"] == 341  # 340 playouts and a playthrough
    assert twin["answers"]["origins"]["rows"] == [
        {"source_format": "open-spiel", "recorded_rules": None, "hands": 341}
    ]
    assert {hand["hand_id"] for hand in twin["hands"]} <= set(range(27, 367))
    assert "source_format = &#39;open-spiel&#39;" in report.page.decode()


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("source_format = 'nothing'", "no_hands"),
        ("no_such_column = 1", "sql_name"),
        ("seat = 1 OR", "sql_syntax"),
        ("true)) SELECT 1; DROP TABLE x; --", "sql_syntax"),
        ("hand_id IN (SELECT 1 FROM read_csv('/etc/passwd'))", "sql_refused"),
    ],
)
def test_bad_conditions_are_refused(samples: Path, where: str, code: str) -> None:
    """A condition that fits no hand, or is more than a question about seats, is an error with its code."""
    with pytest.raises(DdzError) as refused:
        report_on(samples, where=where)
    assert refused.value.code == code


def test_rule_sets_must_be_scored_as_they_are_now(samples: Path) -> None:
    """A rule set that is not scored, or whose content has changed since, is an error; so is nothing to compare with."""
    base, other = load_rules("qq-classic"), load_rules("happy")
    (changed,) = variants(other, ["events.bomb=3"])
    cases: list[tuple[list[RuleSet], str]] = [
        ([], "nothing_to_compare"),
        ([base], "rule_set_twice"),
        ([changed], "not_scored"),
    ]
    for others, code in cases:
        with pytest.raises(DdzError) as refused:
            write_report(samples, base, others)
        assert refused.value.code == code


def test_same_store_gives_the_same_small_file(samples: Path) -> None:
    """Writing twice gives the same bytes, below the size limit, and only the language of opening depends on `lang`."""
    first, again, chinese = report_on(samples), report_on(samples), report_on(samples, lang="zh")
    assert first == again
    assert len(first.page) < SIZE_LIMIT
    assert chinese.twin == first.twin
    assert chinese.page.decode().partition("</title>")[2] == first.page.decode().partition("</title>")[2]
    with pytest.raises(DdzError):
        report_on(samples, lang="fr")


def test_twin_has_fingerprints_rules_and_hands(samples: Path) -> None:
    """The JSON has the digest of the store, each rule set with its hash and citations, and hands that end at their settlement."""
    twin = json.loads(report_on(samples).twin)
    assert twin["content"] == info(samples)["content"]
    assert {rules["id"]: rules["rule_hash"] for rules in twin["rule_sets"]} == {
        name: load_rules(name).rule_hash for name in shipped_rules()
    }
    settled = {(row["rule_set"], row["hand_id"]): row for row in twin["answers"]["settled"]["rows"]}
    assert twin["hands"]
    for hand in twin["hands"]:
        for settling in hand["settlings"]:
            row = settled[settling["rule_set"], hand["hand_id"]]
            last = settling["steps"]["zh"][-1]
            assert [Decimal(amount) for amount in last[-4:]] == [
                Decimal(str(row[f"{name}"])) for name in ("net_landlord", "net_down", "net_up", "house_net")
            ]


def test_synthetic_data_is_called_so(hostile: tuple[Report, Path], tmp_path: Path) -> None:
    """Simulated hands are named as such at the top, and not where there are none."""
    log = tmp_path / "log.jsonl"
    rules = [load_rules("jj-classic"), load_rules("qq-classic")]
    log.write_bytes(simulated(rules[0], 20))
    take(tmp_path / "store", log)
    rescore(tmp_path / "store", rules)
    page = write_report(tmp_path / "store", rules[0], rules[1:]).page.decode()
    assert "Synthetic data: 20 of 20 hands are simulated." in page
    assert "Synthetic data:" not in hostile[0].page.decode()


def test_numbers_are_written_for_people() -> None:
    """Tables have exact values; Chinese prose and axes count in 万 and 亿; a share never rounds to nothing or to everything."""
    assert [exact(Decimal(text)) for text in ("1234567.8900", "-0.5000", "0.0000")] == [
        "1,234,567.89",
        "−0.5",
        "0",
    ]
    assert [signed(Decimal(text)) for text in ("3", "-3", "0")] == ["+3", "−3", "0"]
    assert prose(Decimal("-123456789")) == ("−123,456,789", "−1.23亿")
    assert prose(12_345) == ("12,345", "1.23万")
    assert [on_axis(16_384, lang) for lang in LANGUAGES] == ["16,384", "1.64万"]
    assert [share(*pair) for pair in ((1, 3), (1, 10_000), (9_999, 10_000), (0, 5), (5, 5))] == [
        "33.3%", "<0.1%", ">99.9%", "0.0%", "100.0%",
    ]  # fmt: skip


# What it is


def test_bundle_is_the_one_that_plotly_knows() -> None:
    """The vendored bundle has the version of plotly.js that the Python package is made for, and comes with its licence."""
    from plotly.offline import get_plotlyjs_version

    assert bundle_version() == get_plotlyjs_version()
    assert "MIT License" in BUNDLE.with_name("LICENSE.plotly").read_text("utf-8")


def test_plotly_is_loaded_only_to_write_a_report() -> None:
    """Importing the package of the report loads neither plotly nor the template engine."""
    code = (
        "import sys, ddz_analytics.report; sys.exit(bool({'plotly', 'jinja2', 'duckdb'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_policy_names_the_only_style_and_scripts(hostile: tuple[Report, Path]) -> None:
    """The content security policy forbids everything but the page's one style and two scripts, each by its hash."""
    page = hostile[0].page.decode()
    policy = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    rules = dict(rule.split(" ", 1) for rule in plain_text(policy[0].encode()).split("; "))
    assert (
        rules["default-src"] == rules["connect-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    )
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert (len(scripts), len(styles)) == (2, 1)
    assert rules["script-src"] == _hashes(scripts)
    assert rules["style-src"] == _hashes([*styles, ""])
    outside = page
    for inside in (*scripts, *styles):
        outside = outside.replace(inside, "")
    assert not re.search(r"\s(?:src|style|on[a-z]+)=[\"']?", re.sub(r">[^<]*<", "><", outside))


def _hashes(contents: list[str]) -> str:
    return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in contents)


def test_json_in_a_script_cannot_end_it() -> None:
    """JSON within the page reads as it was, and has no character that could end its element or begin a comment."""
    value = {"name": "</script><!--<script>&\u2028"}
    assert json.loads(in_script(value)) == value
    assert not re.search("[<>&\u2028]", in_script(value))


def test_texts_of_logs_are_inert_in_the_files(hostile: tuple[Report, Path]) -> None:
    """No text of a log or a rule file becomes markup or a control character; the JSON has the texts themselves."""
    page = hostile[0].page.decode()
    assert "<img" not in page
    assert len(re.findall(r"<script", page)) == 5  # words, figures, hands, the bundle, the page's own
    for text in (page, hostile[0].twin.decode()):
        assert not re.search(
            "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]",
            text.replace(BUNDLE.read_text("utf-8"), ""),
        )
    players = {seat["player"] for hand in json.loads(hostile[0].twin)["hands"] for seat in hand["seats"]}
    assert players == set(HOSTILE)
