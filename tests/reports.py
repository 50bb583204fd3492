"""What the tests of the report share: a report on texts that want to be code, and reports on the sample logs."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

from ddz_analytics.report import Report, write_report
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import RuleSet, load_rules, shipped_rules
from ddz_analytics.simulate import simulate
from tests.stores import take

SAMPLES = Path(__file__).parents[1] / "sample_logs"
HOSTILE = (
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=2</script>",
    '"><img src=x onerror="window.hacked=3">',
    "\x1b[31mred\x07\x9b",
    "\u202egpj.exe",
    "{{ 7 * 7 }}${7*7}%{y}<a href='javascript:hacked=4'>x</a>",
    "<!--<script>",
)


def hostile_report(folder: Path) -> tuple[Report, Path]:
    """The report on a store whose every text from a log or a rule file wants to be code, and the file of its page."""
    log = folder / "log.jsonl"
    log.write_bytes(_hostile_lines(150))
    sets = [load_rules("jj-classic"), _hostile_rules(folder), load_rules("happy")]
    take(folder / "store", log)
    rescore(folder / "store", sets)
    report = write_report(folder / "store", sets[0], sets[1:])
    file = folder / "report.html"
    file.write_bytes(report.page)
    return report, file


def sample_store(folder: Path) -> Path:
    """A store of the sample logs, scored under every shipped rule set."""
    store = folder / "store"
    take(store, *sorted(str(found) for found in SAMPLES.iterdir() if found.is_dir()))
    rescore(store, [load_rules(name) for name in shipped_rules()])
    return store


def report_on(store: Path, **options: Any) -> Report:
    """The first shipped rule set against the others."""
    base, *others = [load_rules(name) for name in shipped_rules()]
    return write_report(store, base, others, **options)


def simulated(rules: RuleSet, hands: int) -> bytes:
    """Simulated hands as lines of `ddz/1`."""
    return b"".join(line + b"\n" for line in simulate(rules, hands=hands, seed=5, players=9))


def plain_text(page: bytes) -> str:
    """A page with its character references written out."""
    return html.unescape(page.decode())


def _hostile_rules(folder: Path) -> RuleSet:
    """A rule set whose texts are as bad as a rule file allows, and which takes a rake so that its name is in every chart."""
    file = folder / "hostile.toml"
    file.write_text(
        'id = "hostile"\nextends = "jj-classic"\n'
        'title.en = "<img src=x onerror=window.hacked=5><b>en"\n'
        'title.zh = "</script><script>window.hacked=6</script>"\n'
        '[house]\nsource = "<script>window.hacked=7</script> J33"\nrake = "0.05"\n'
    )
    return load_rules(str(file))


def _hostile_lines(hands: int) -> bytes:
    lines = []
    for number, line in enumerate(simulate(load_rules("jj-classic"), hands=hands, seed=3, players=12)):
        text = HOSTILE[number % len(HOSTILE)]
        named = {"id": f"{text}{number}", "table": text, "match": text, "kinds": [text] * 3}
        named["players"] = [HOSTILE[(3 * number + seat) % len(HOSTILE)] for seat in range(3)]
        lines.append(json.dumps({**json.loads(line), **named}).encode() + b"\n")
    return b"".join(lines)
