"""What the page shows of a baseline against another rule set, and of all of them: rows turned and put in order, and the commands."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from ddz_analytics.hands import ROLE_NAMES
from ddz_analytics.report.content import Content
from ddz_analytics.report.drawing import Row
from ddz_analytics.report.layout import title
from ddz_analytics.report.wording import Both, signed
from ddz_analytics.report.worst import ShownHand
from ddz_analytics.rules import Clause, RuleSet, cited_clauses, clauses, parameters

SECTIONS = (
    "changes", "bands", "differs", "grid", "all", "spread", "multipliers", "groups", "standings", "house", "liability", "balances",
    "worst", "trust", "method", "rules", "appendix",
)  # fmt: skip
HOUSE = ("moved", "rake", "fee", "forfeit", "fine", "net")


@dataclass(frozen=True)
class Against:
    """What the page shows of the baseline against one other rule set; `place` numbers it within the page."""

    place: int
    rules: RuleSet
    content: Content

    @property
    def changed(self) -> Row:
        """How much changes; zeros where the two have no hand in common."""
        return self.content.rows("changed", self.rules.id)[0]

    @property
    def ids(self) -> tuple[str, str]:
        """The two rule sets."""
        return self.content.baseline.id, self.rules.id

    @property
    def names(self) -> dict[str, Both]:
        """What texts call the two rule sets."""
        return {"baseline": title(self.content.baseline), "other": title(self.rules)}

    @property
    def command(self) -> str:
        """The command that prints these numbers."""
        return compare_command(self.content, [self.rules])

    def groups(self, by: str) -> list[Row]:
        """The rows of a kind of groups, without the hands that are in none."""
        return [row for row in self.content.rows(by, self.rules.id) if row["value"] is not None]

    def grouped(self, by: str) -> list[tuple[str, list[Row | None]]]:
        """Each group with its row for each role."""
        found = {(row["value"], row["role"]): row for row in self.groups(by)}
        values = dict.fromkeys(row["value"] for row in self.groups(by))
        return [(value, [found.get((value, role)) for role in ROLE_NAMES]) for value in values]

    @property
    def carried_by(self) -> Row | None:
        """The interval of the role that most hands differ for, with the clusters that carry it."""
        return max(self.intervals, key=lambda row: row["differing"], default=None)

    @property
    def differences(self) -> list[Row]:
        """The parameters that differ."""
        return [row for row in self.content.differences if row["rule_set"] == self.rules.id]

    @property
    def contributions(self) -> list[Row]:
        """What each differing parameter contributes."""
        return [row for row in self.content.contributions if row["rule_set"] == self.rules.id]

    @property
    def bands(self) -> list[Row]:
        """The five bands, a row for each role."""
        return _by_role(self.content.rows("bands", self.rules.id))

    @property
    def roles(self) -> list[Row]:
        """The numbers by role."""
        return _by_role(self.content.rows("roles", self.rules.id))

    @property
    def intervals(self) -> list[Row]:
        """How sure the mean difference is, by role."""
        return _by_role(self.content.rows("intervals", self.rules.id))

    @property
    def break_even(self) -> tuple[str, str] | None:
        """The landlord's win rate, and by how many percentage points it would have to move to cancel the difference."""
        for row in self.content.rows("break_even", self.rules.id):
            if row["break_even"] is not None:
                return f"{100 * row['win_rate']:.1f}%", signed(round(100 * row["break_even"], 2))
        return None

    @property
    def spread(self) -> list[tuple[int, list[tuple[int, int]]]]:
        """Each step of the score with the hands of baseline and other for each role."""
        rows = self.content.rows("distribution", self.rules.id)
        counted = {(row["step"], row["role"]): (row["baseline"], row["other"]) for row in rows}
        steps = sorted({row["step"] for row in rows})
        return [(step, [counted.get((step, role), (0, 0)) for role in ROLE_NAMES]) for step in steps]

    @property
    def multipliers(self) -> list[tuple[int | None, list[Row]]]:
        """Each multiplier with the hands that reach it under baseline and other; None: not played."""
        sides = [
            {row["multiplier"]: row for row in self.content.rows("multipliers", name)}
            for name in (self.content.baseline.id, self.rules.id)
        ]
        nothing = {"hands": 0, "capped": 0}
        found = sorted({*sides[0], *sides[1]}, key=lambda multiplier: (multiplier is None, multiplier))
        return [(multiplier, [side.get(multiplier, nothing) for side in sides]) for multiplier in found]

    @property
    def caps(self) -> list[tuple[RuleSet, Row]]:
        """Which of the two rule sets cap some of the hands, with their numbers in all."""
        overview = {row["rule_set"]: row for row in self.content.rows("overview")}
        pairs = [(rules, overview[rules.id]) for rules in (self.content.baseline, self.rules)]
        return [(rules, row) for rules, row in pairs if row["capped_hands"]]

    @property
    def doublings(self) -> list[tuple[int, list[Row | None]]]:
        """Each number of doublings before the cap with its row under baseline and other, where events multiply one by one."""
        sides = [{row["doublings"]: row for row in self.content.rows("caps", name)} for name in self.ids]
        return [(number, [side.get(number) for side in sides]) for number in sorted({*sides[0], *sides[1]})]

    @property
    def blind(self) -> int:
        """In how many hands no autoplay is counted because the log cannot tell it."""
        found = self.content.rows("assumptions", self.rules.id) + self.content.rows(
            "assumptions", self.content.baseline.id
        )
        return max((row["hands"] for row in found if row["assumption"] == "autoplay"), default=0)

    @property
    def hands(self) -> list[ShownHand]:
        """The hands that differ most."""
        return [hand for hand in self.content.hands if hand.rule_set == self.rules.id]


def compare_command(content: Content, others: Iterable[RuleSet]) -> str:
    """`ddz compare` of what the report is about."""
    chosen = content.chosen
    words = [
        "ddz",
        "compare",
        "--baseline",
        content.baseline.id,
        "--against",
        ",".join(rules.id for rules in others),
    ]
    words += [] if chosen.balances == "recorded" else ["--balances", chosen.balances]
    words += [] if chosen.where is None else ["--where", chosen.where]
    words += [] if chosen.advance is None else ["--advance", str(chosen.advance)]
    return shlex.join(words)


class Page:
    """The content with what the whole page needs."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.baseline = content.baseline
        self.rule_sets = (content.baseline, *content.others)
        self.against = [Against(place, rules, content) for place, rules in enumerate(content.others)]
        self.hands = content.rows("hands")[0]
        self.files = content.rows("files")[0]

    @property
    def command(self) -> str:
        """The command that prints the numbers of all rule sets."""
        return compare_command(self.content, self.content.others)

    @property
    def grid_command(self) -> str:
        """The command that prints the numbers of the grid."""
        words = [
            "ddz",
            "compare",
            "--baseline",
            self.baseline.id,
            *(word for each in self.content.chosen.settings for word in ("--set", each)),
        ]
        return shlex.join(
            [*words, *([] if self.content.chosen.where is None else ["--where", self.content.chosen.where])]
        )

    def name(self, rule_set: str) -> Both:
        """What a rule set is called."""
        return next(title(rules) for rules in self.rule_sets if rules.id == rule_set)

    @property
    def sections(self) -> list[str]:
        """The parts of the page, in order."""
        left_out = {"grid": self.content.grid is None, "standings": not self.content.rows("standings")}
        return [name for name in SECTIONS if not left_out.get(name, False)]

    @property
    def is_timed(self) -> bool:
        """Whether every hand has a time, so that amounts per day mean something."""
        return bool(self.hands["timed"] == self.hands["hands"])

    def count(self, question: str, column: str, value: object, counted: str = "hands") -> int:
        """How many hands (or records) an answer counts for one value of a column."""
        return sum(row[counted] for row in self.content.rows(question) if row[column] == value)

    def status(self, rules: RuleSet, status: str) -> int:
        """How many hands have a status under a rule set."""
        found = self.content.rows("statuses", rules.id)
        return sum(row["hands"] for row in found if row["score_status"] == status)

    @property
    def title_key(self) -> str:
        """The text of the page's title, which names chained balances."""
        return "report.title" + ("_chained" if self.content.chosen.balances == "chained" else "")

    @property
    def recorded(self) -> int:
        """How many hands have scores recorded under the baseline."""
        return sum(row["hands"] for row in self.content.rows("reconciled"))

    @property
    def house_parts(self) -> list[str]:
        """What of the house's take is anything at all; the turnover and the sum always are."""
        rows = self.content.rows("house")
        return [part for part in HOUSE if part in ("moved", "net") or any(row[part] for row in rows)]

    @property
    def parameters(self) -> list[tuple[str, list[object]]]:
        """Every parameter with its value in each rule set."""
        found = [parameters(rules) for rules in self.rule_sets]
        return [(key, [values[key] for values in found]) for key in found[0]]

    @property
    def clauses(self) -> list[Clause]:
        """The clauses that some rule set cites, in the order of the pages."""
        cited = {
            name
            for rules in self.rule_sets
            for source in rules.sources.values()
            for name in cited_clauses(source)
        }
        return [clause for name, clause in clauses().items() if name in cited]


def _by_role(rows: Iterable[Row]) -> list[Row]:
    order = (*ROLE_NAMES, None)
    return sorted(rows, key=lambda row: order.index(row["role"]))
