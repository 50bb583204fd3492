"""The report: one self-contained HTML file that needs no network, and its twin in JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from ddz_analytics.errors import UsageError
from ddz_analytics.files import whole_file
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.rules import RuleSet

if TYPE_CHECKING:
    from ddz_analytics.rescore import Scenario


class Report(NamedTuple):
    """The HTML page, and every number in it as JSON; both UTF-8."""

    page: bytes
    twin: bytes

    def put(self, output: Path) -> None:
        """Write the page to a path, and its twin beside it; raises UsageError `path_missing` where there is no such folder."""
        for content, target in ((self.page, output), (self.twin, output.with_suffix(".json"))):
            with whole_file(target) as file:
                file.write(content)


def told_apart(rule_sets: Sequence[RuleSet]) -> list[RuleSet]:
    """The rule sets with their ids behind titles that several of them have."""
    titles = Counter(title for rules in rule_sets for title in {rules.title_en, rules.title_zh})
    return [
        structs.replace(
            rules,
            title_en=rules.title_en + (f" ({rules.id})" if titles[rules.title_en] > 1 else ""),
            title_zh=rules.title_zh + (f"（{rules.id}）" if titles[rules.title_zh] > 1 else ""),
        )
        for rules in rule_sets
    ]


def write_report(  # noqa: PLR0913 - each of the last five may be left out, and is named
    store: Path,
    baseline: RuleSet,
    others: Sequence[RuleSet],
    *,
    balances: Scenario = "recorded",
    where: str | None = None,
    advance: int | None = None,
    grid: tuple[Sequence[str], Sequence[RuleSet]] = ((), ()),
    lang: str = "en",
) -> Report:
    """What the hands of a store, all or those that `where` (SQL over `hand_seats`) chooses, bring under each rule set.

    `balances`: those before each hand are the recorded ones, or chained (see `rescore`). `advance`: how many of each match go on.
    `grid`: settings such as `cap.doublings=3,4` and the variants that they make of one rule set, which need not be scored; drawn.
    The same store and rule sets give the same bytes. `lang` is the language (en or zh) that the page opens in; it can be switched there.
    Raises UsageError `language`, and as `content.gather` does.
    """
    if lang not in LANGUAGES:
        raise UsageError(
            "language", f"the report does not speak {lang!r}", mend=f"one of {', '.join(LANGUAGES)}"
        )
    from ddz_analytics.report.content import Chosen, as_json, gather
    from ddz_analytics.report.page import as_page  # loads jinja2, which only a report needs

    settings, variants = grid
    baseline, *others = told_apart([baseline, *others])
    content = gather(
        store, baseline, others, Chosen(where, balances, advance, tuple(settings), tuple(variants))
    )
    return Report(as_page(content, lang), as_json(content))
