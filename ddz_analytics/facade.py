"""A store opened in Python: `ddz.open(path)` has the questions of the command, asked of the same functions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import click
import pyarrow as pa

from ddz_analytics import handed
from ddz_analytics.handed import HowToIngest, Lang, PathLikes, Settings, Specs

if TYPE_CHECKING:
    from datetime import date

    import pandas as pd

    from ddz_analytics.explain.explained import Question
    from ddz_analytics.hands import Hand
    from ddz_analytics.ingest.summary import Summary
    from ddz_analytics.rescore import Rescored, Scenario
    from ddz_analytics.rules import RuleSet
    from ddz_analytics.verify import Finding


def open(store: PathLikes = "ddz-store") -> Store:
    """The store at a path, made by the first ingest; nothing is read yet."""
    return Store(Path(store))


class Store:
    """A store and the questions that it answers; a missing one is a StoreError `store_missing` when it is asked.

    Every method raises as the function behind it does: DdzError with a stable `code`, documented in docs/codes.md.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        """How it was opened."""
        return f"ddz.open({str(self.path)!r})"

    def ingest(
        self,
        given: PathLikes | Sequence[PathLikes] | Iterable[bytes | Mapping[str, object] | Hand] | pd.DataFrame,
        *,
        name: str = "hands",
        **how: Unpack[HowToIngest],
    ) -> Summary:
        """Read paths, or hands in memory (also an Arrow table or DataFrame), as strictly as `ddz ingest` reads files.

        Hands in memory stand under `memory:NAME` as their source. Raises UsageError `ingest_source`, and as `ingest.ingest` does.
        """
        from ddz_analytics.ingest import Options, ingest
        from ddz_analytics.ingest.memory import sources_of

        options = Options(**handed.checked(how))
        with TemporaryDirectory(prefix="ddz-") as folder:
            return ingest(self.path, sources_of(given, name, Path(folder)), options)

    def rescore(
        self,
        rules: Specs = "all",
        *,
        set: Settings | None = None,
        balances: Scenario = "recorded",
        jobs: int = 1,
    ) -> Rescored:
        """Settle every hand under rule sets; what is current is left as it is."""
        from ddz_analytics.rescore import rescore
        from ddz_analytics.wanted import rules_named

        handed.check_balances(balances)
        return rescore(
            self.path, rules_named(handed.one_text(rules), handed.settings_of(set)), jobs, balances
        )

    @overload
    def sql(
        self, query: str, *, arrow: Literal[False] = False, tables: Mapping[str, object] | None = None
    ) -> pd.DataFrame: ...

    @overload
    def sql(
        self, query: str, *, arrow: Literal[True], tables: Mapping[str, object] | None = None
    ) -> pa.Table: ...

    def sql(
        self, query: str, *, arrow: bool = False, tables: Mapping[str, object] | None = None
    ) -> pd.DataFrame | pa.Table:
        """The answer to one question over the views, as an Arrow-backed DataFrame or an Arrow table.

        Amounts are decimals; `frame["score"].astype(float)` is for what cannot calculate with them, such as a plot. `tables`: own
        tables, Arrow or DataFrames, that the question joins by name. What the command would note, such as several rule sets summed
        together, is a warning.
        """
        from ddz_analytics.query import answer

        joined = {name: handed.as_arrow(name, table) for name, table in (tables or {}).items()}
        found = answer(self.path, query, tables=joined)
        for note in found.notes:
            warnings.warn(note, stacklevel=2)
        return found.rows if arrow else handed.as_frame(found.rows)

    def compare(  # noqa: PLR0913 - each may be left out, and is named
        self,
        *,
        baseline: str | None = None,
        against: Specs | None = None,
        set: Settings | None = None,
        where: str | None = None,
        by: Sequence[str] = (),
        worst: int = 1,
        advance: int | None = None,
        balances: Scenario = "recorded",
        jobs: int = 1,
    ) -> dict[str, pd.DataFrame]:
        """The tables of `ddz compare` by their titles, over the same hands; what is not scored yet is scored first.

        `baseline`: one rule set (default: the one recorded rule set, else qq-classic); `against`: the others (default: all complete
        ones, with `set` the baseline); `set` varies the others, and a large grid gives the table `overview` alone, with a row for
        each; `where`: SQL over `hand_seats`, and `by`: columns of it to group by; `worst`: how many of the most different
        hands; `advance`: how many of each match go on.
        """
        from ddz_analytics.choosing import check_where
        from ddz_analytics.compared import Wanted, tables_of, to_score
        from ddz_analytics.rescore import rescore

        handed.check_balances(balances)
        if where is not None:
            check_where(self.path, where)
        wanted = Wanted(balances, where, tuple(by), worst, advance)
        chosen = self._chosen(baseline, against, handed.settings_of(set))
        rescore(self.path, to_score(chosen, wanted, varied=bool(set)), jobs, balances)
        tables, _ = tables_of(self.path, chosen, wanted, warnings.warn, varied=bool(set))
        return {title: handed.as_frame(table) for title, table in tables.items()}

    def report(  # noqa: PLR0913 - each may be left out, and is named
        self,
        path: PathLikes,
        *,
        baseline: str | None = None,
        against: Specs | None = None,
        set: Settings | None = None,
        where: str | None = None,
        advance: int | None = None,
        balances: Scenario = "recorded",
        lang: Lang = "en",
        jobs: int = 1,
    ) -> Path:
        """Write the HTML report to a path, and its numbers as JSON beside it, of what `compare` would compare; the path."""
        from ddz_analytics.files import check_folder
        from ddz_analytics.report import write_report
        from ddz_analytics.report.grid import shown_in_full
        from ddz_analytics.rescore import rescore

        page, settings = Path(path), handed.settings_of(set)
        check_folder(page)
        handed.check_balances(balances)
        base, *others = self._chosen(baseline, against, settings)
        shown = shown_in_full(others, settings, balances)
        rescore(self.path, [base, *shown], jobs, balances)
        options: dict[str, Any] = {"balances": balances, "where": where, "advance": advance, "lang": lang}
        grid = (settings, others if settings else [])
        write_report(self.path, base, shown, grid=grid, **options).put(page)
        return page

    def explain(
        self, hand: int | str, rules: str | None = None, vs: str | None = None, *, lang: Lang = "en"
    ) -> str:
        """How a hand comes to its score under one rule set or two, step by step with its clauses, as text.

        `hand` and the rule set that is taken without `rules` are those of `ddz explain`; balances are the recorded ones.
        """
        from ddz_analytics.explain.explained import explain
        from ddz_analytics.explain.plain import as_text
        from ddz_analytics.store.catalog import connect

        question = self._about(hand, rules, vs, lang)
        with connect(self.path) as connection:
            return as_text(explain(connection, question))

    def replay(
        self, hand: int | str, rules: str | None = None, vs: str | None = None, *, lang: Lang = "en"
    ) -> str:
        """A hand act by act as `ddz replay` shows it, without colours; which hand and which rule sets: see `explain`."""
        from ddz_analytics.store.catalog import connect
        from ddz_analytics.viewer.terminal import as_text
        from ddz_analytics.viewer.viewed import view

        question = self._about(hand, rules, vs, lang)
        with connect(self.path) as connection:
            viewed = view(connection, question)
        return click.unstyle(as_text(viewed.course, viewed.runs, lang))

    def standings(  # noqa: PLR0913 - each may be left out, and is named
        self,
        rules: str | None = None,
        vs: str | None = None,
        *,
        match: str | None = None,
        advance: int | None = None,
        balances: Scenario = "recorded",
        jobs: int = 1,
    ) -> pd.DataFrame:
        """The order of each match, or of one, under a rule set; with `vs`, each player's place under both.

        `rules` is by default the one recorded rule set, else qq-classic; `advance`: how many of each match go on. Raises as
        `standings.Standings` does.
        """
        from ddz_analytics.standings import Standings
        from ddz_analytics.store.catalog import connect

        first, *second = self._scored([rules, *([vs] if vs else [])], balances, jobs)
        with connect(self.path) as connection:
            asked = Standings(connection, first.id, match, advance, balances)
            return handed.as_frame(asked.moves(second[0].id) if second else asked.order())

    def statement(  # noqa: PLR0913 - each may be left out, and is named
        self,
        player: str,
        rules: str | None = None,
        *,
        first_day: date | None = None,
        last_day: date | None = None,
        balances: Scenario = "recorded",
        jobs: int = 1,
    ) -> dict[str, pd.DataFrame]:
        """A player's balance from the opening to the closing: the tables `hands`, `totals` and `missing` of `ddz statement`.

        Both days are included. Raises as `statement.statement_of` does.
        """
        from ddz_analytics.statement import TABLES, Asked, statement_of
        from ddz_analytics.store.catalog import connect

        (wanted,) = self._scored([rules], balances, jobs)
        asked = Asked(player, wanted.id, balances, first_day, last_day)
        with connect(self.path) as connection:
            found = statement_of(connection, asked)
        return {name: handed.as_frame(getattr(found, name)) for name in TABLES}

    def reconcile(self, examples: int = 1, *, jobs: int = 1) -> list[dict[str, Any]]:
        """Recorded scores against recomputed ones, an entry for each recorded rule set, as `ddz reconcile --json` has them."""
        from ddz_analytics.reconcile import reconcile, rules_to_score
        from ddz_analytics.rescore import rescore
        from ddz_analytics.store.catalog import connect

        with connect(self.path) as connection:
            wanted = rules_to_score(connection)
        if wanted:
            rescore(self.path, wanted, jobs)
        with connect(self.path) as connection:
            return reconcile(connection, examples)

    def info(self) -> dict[str, Any]:
        """What is in the store, and what its logs can and cannot say, as `ddz info --json` has it."""
        from ddz_analytics.info import info

        return info(self.path)

    def verify(self) -> list[Finding]:
        """All that is wrong with the store; nothing when it is whole."""
        from ddz_analytics.verify import verify

        return verify(self.path)

    def _chosen(self, base: str | None, against: Specs | None, settings: tuple[str, ...]) -> list[RuleSet]:
        """The baseline and the others."""
        from ddz_analytics.wanted import chosen_rules

        specs = None if against is None else handed.one_text(against)
        return chosen_rules(self.path, base, specs, settings, tell=lambda _: None)

    def _about(self, hand: int | str, rules: str | None, vs: str | None, lang: str) -> Question:
        """A question about one hand and the rule sets that it is told under."""
        from ddz_analytics.explain.asked import named_hand, rules_wanted
        from ddz_analytics.explain.explained import Question

        named = named_hand(self.path, str(hand))
        wanted = rules_wanted(self.path, named.recorded, (rules, vs), warnings.warn)
        return Question(named.hand_id, wanted, "recorded", lang)

    def _scored(self, names: Sequence[str | None], balances: Scenario, jobs: int) -> list[RuleSet]:
        """Rule sets, scored; one that is not named is the store's own."""
        from ddz_analytics.rescore import rescore
        from ddz_analytics.rules import load_rules
        from ddz_analytics.wanted import recorded_baseline

        handed.check_balances(balances)
        wanted = [load_rules(name or recorded_baseline(self.path, warnings.warn)) for name in names]
        rescore(self.path, wanted, jobs, balances)
        return wanted
