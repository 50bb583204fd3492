"""Autoplay, doubles and balances as the page shows them: every rule set side by side over the hands that all of them score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddz_analytics.report.content import Content
from ddz_analytics.rules import RuleSet

Row = Mapping[str, Any]
REASONS = ("stake", "liability", "forfeit", "balance", "fine", "fee", "rake")
STATUSES = ("autoplay", "partner", "both", "came_back", "peasant")
CARDS = ("17-20", "11-16", "6-10", "2-5", "1", "unknown")


class Laboratory:
    """The tables of the sections on autoplay and balances."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.rule_sets = (content.baseline, *content.others)

    @property
    def hands(self) -> Row | None:
        """How many hands are compared and in how many of them peasants are on autoplay; None where none is compared."""
        return self.row("liability", self.content.baseline)

    @property
    def statuses(self) -> list[str]:
        """The kinds of peasants that there are in the hands compared."""
        present = {row["status"] for row in self.content.rows("autoplay_seats")}
        return [status for status in STATUSES if status in present]

    def row(self, question: str, rules: RuleSet, **more: str) -> Row | None:
        """The row of a rule set with these values, if there is one."""
        found = (
            row
            for row in self.content.rows(question, rules.id)
            if all(row[name] == value for name, value in more.items())
        )
        return next(found, None)

    @property
    def flows(self) -> list[tuple[tuple[str, str | None, str | None], list[Row | None]]]:
        """Each flow (reason, payer, receiver) with its row under every rule set."""
        by_flow = {
            (row["rule_set"], row["reason"], row["payer"], row["receiver"]): row
            for row in self.content.rows("flows")
        }
        flows = sorted(
            {flow[1:] for flow in by_flow},
            key=lambda flow: (REASONS.index(flow[0]), flow[1] or "", flow[2] or ""),
        )
        return [(flow, [by_flow.get((rules.id, *flow)) for rules in self.rule_sets]) for flow in flows]

    @property
    def starts(self) -> list[tuple[str, list[Row | None]]]:
        """Each span of cards held when autoplay began, with its row under every rule set."""
        present = {row["cards_at_start"] for row in self.content.rows("autoplay_starts")}
        return [
            (cards, [self.row("autoplay_starts", rules, cards_at_start=cards) for rules in self.rule_sets])
            for cards in CARDS
            if cards in present
        ]

    @property
    def refusing(self) -> list[tuple[RuleSet, Row]]:
        """The rule sets under which a double was asked for or an entry refused."""
        return [
            (rules, row) for rules, row in self._rows("refusals") if row["asked"] or row["entries_refused"]
        ]

    @property
    def balances(self) -> list[tuple[RuleSet, Row]]:
        """The rule sets under which some balance is known."""
        return self._rows("balances")

    def _rows(self, question: str) -> list[tuple[RuleSet, Row]]:
        pairs = ((rules, self.row(question, rules)) for rules in self.rule_sets)
        return [(rules, row) for rules, row in pairs if row is not None]
