"""A store opened in Python: `ddz.open(path)` has the questions of the command, asked of the same functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

import pyarrow as pa

if TYPE_CHECKING:
    import pandas as pd

    from ddz_analytics.hands import Hand
    from ddz_analytics.ingest.summary import Summary
    from ddz_analytics.rescore import Rescored, Scenario
    from ddz_analytics.rules import RuleSet
    from ddz_analytics.verify import Finding

PathLikes = str | PathLike[str]
Specs = str | Sequence[str]
"""Rule sets as the command names them: ids or rule files, with overlays; one text with commas, or a sequence of names."""
Value = str | int | float | bool | None
Settings = Mapping[str, Value | Sequence[Value]]
"""Parameters to vary: `{"cap.doublings": [3, 4]}`; several make a grid."""


class HowToIngest(TypedDict, total=False):
    """The options of `ddz ingest`, by the names of `ingest.Options`; `format="facts"` takes tables of settlement rows."""

    format: str
    dedupe: Literal["content", "id", "none"]
    dry_run: bool
    jobs: int
    mapping: Path
    pseudonyms: Path
    reparse: bool
    sample: str
    stop_after: int
    tz: str
    agents: dict[str, str]


class Asked(TypedDict, total=False):
    """What a comparison or a report is about, as `ddz compare` takes it.

    `baseline`: one rule set (default: the one recorded rule set, else qq-classic); `against`: the others (default: all, with `set`
    the baseline); `set` varies the others; `where`: SQL over `hand_seats`; `balances`: recorded or chained; `jobs`: processes.
    """

    baseline: str
    against: Specs
    set: Settings
    where: str
    balances: Scenario
    jobs: int


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

        with TemporaryDirectory(prefix="ddz-") as folder:
            return ingest(self.path, sources_of(given, name, Path(folder)), Options(**how))

    def rescore(
        self,
        rules: Specs = "all",
        *,
        set: Settings | None = None,
        balances: Scenario = "recorded",
        jobs: int = 1,
    ) -> Rescored:
        """Settle every hand under rule sets; what is current is left as it is."""
        from ddz_analytics.cli.common import rules_named
        from ddz_analytics.rescore import rescore

        return rescore(self.path, rules_named(_one_text(rules), _settings(set)), jobs, balances)

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
        """The answer to one question over the views, as an Arrow-backed DataFrame (decimals stay decimals) or an Arrow table.

        `tables`: own tables, Arrow or DataFrames, that the question joins by name.
        """
        from ddz_analytics.query import run_query

        joined = {name: _arrow(table) for name, table in (tables or {}).items()}
        answer = run_query(self.path, query, tables=joined)
        return answer if arrow else _frame(answer)

    def compare(
        self, *, by: Sequence[str] = (), worst: int = 1, **asked: Unpack[Asked]
    ) -> dict[str, pd.DataFrame]:
        """The tables of `ddz compare` by their titles, over the same hands; what is not scored yet is scored first.

        A large grid gives the table `overview` with a row for each variant. `by`: columns of `hand_seats` to group by.
        """
        from ddz_analytics.choosing import check_where
        from ddz_analytics.cli.compared import Wanted, compared, comparison_tables, score, swept_tables
        from ddz_analytics.cli.scoring import FEW, refuse_in_a_sweep

        where, jobs = asked.get("where"), asked.get("jobs", 1)
        if where is not None:
            check_where(self.path, where)
        wanted = Wanted(asked.get("balances", "recorded"), where, tuple(by), worst)
        chosen = self._chosen(asked)
        if asked.get("set") and len(chosen) > FEW:
            refuse_in_a_sweep(len(chosen) - 1, wanted, None)
            tables = swept_tables(self.path, chosen, jobs, where, quiet=True)
        else:
            score(self.path, chosen, jobs, wanted.balances, quiet=True)
            with compared(self.path, chosen, wanted) as found:
                tables = comparison_tables(self.path, chosen, wanted, found)
        return {title: _frame(table) for title, table in tables.items()}

    def report(self, path: PathLikes, *, lang: Literal["en", "zh"] = "en", **asked: Unpack[Asked]) -> Path:
        """Write the HTML report to a path, and its numbers as JSON beside it; the path."""
        from ddz_analytics.cli.common import check_folder, write_out
        from ddz_analytics.cli.reporting import shown_in_full
        from ddz_analytics.report import write_report
        from ddz_analytics.rescore import rescore

        page = Path(path)
        check_folder(page)
        base, *others = self._chosen(asked)
        balances = asked.get("balances", "recorded")
        settings = _settings(asked.get("set"))
        shown = shown_in_full(others, settings, balances)
        rescore(self.path, [base, *shown], asked.get("jobs", 1), balances)
        grid = (settings, others if settings else [])
        made = write_report(
            self.path, base, shown, balances=balances, where=asked.get("where"), grid=grid, lang=lang
        )
        write_out(made.page, page)
        write_out(made.twin, page.with_suffix(".json"))
        return page

    def explain(
        self,
        hand: int | str,
        rules: str | None = None,
        vs: str | None = None,
        *,
        lang: Literal["en", "zh"] = "en",
    ) -> str:
        """How a hand comes to its score under one rule set or two, step by step with its clauses, as text.

        `hand` and the rule set that is taken without `rules` are those of `ddz explain`; balances are the recorded ones.
        """
        from ddz_analytics.cli.one_hand import rules_of
        from ddz_analytics.explain.explained import Question, explain
        from ddz_analytics.explain.plain import as_text
        from ddz_analytics.explain.record import find_hand, read_hand
        from ddz_analytics.rules import load_rules
        from ddz_analytics.store.catalog import connect

        with connect(self.path) as connection:
            hand_id, _ = find_hand(connection, str(hand))
            recorded = read_hand(connection, hand_id).head["recorded_rules"]
            names = [rules or rules_of(self.path, recorded), *([vs] if vs else [])]
            wanted = [load_rules(name) for name in names]
            return as_text(explain(connection, Question(hand_id, wanted, "recorded", lang)))

    def info(self) -> dict[str, Any]:
        """What is in the store, and what its logs can and cannot say, as `ddz info --json` has it."""
        from ddz_analytics.info import info

        return info(self.path)

    def verify(self) -> list[Finding]:
        """All that is wrong with the store; nothing when it is whole."""
        from ddz_analytics.verify import verify

        return verify(self.path)

    def _chosen(self, asked: Asked) -> list[RuleSet]:
        """The baseline and the others."""
        from ddz_analytics.cli.scoring import chosen_rules

        against = None if "against" not in asked else _one_text(asked["against"])
        return chosen_rules(
            self.path, asked.get("baseline"), against, _settings(asked.get("set")), quiet=True
        )


def _one_text(specs: Specs) -> str:
    return specs if isinstance(specs, str) else ",".join(specs)


def _settings(given: Settings | None) -> tuple[str, ...]:
    """Settings as `--set` has them."""
    return tuple(
        f"{key}={','.join(map(_word, values if isinstance(values, list | tuple) else [values]))}"
        for key, values in (given or {}).items()
    )


def _word(value: Value) -> str:
    """A value as a rule file would have it in a text: true, false, none, else its digits or letters."""
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _frame(table: pa.Table) -> pd.DataFrame:
    import pandas as pd

    frame: pd.DataFrame = table.to_pandas(types_mapper=pd.ArrowDtype)
    return frame


def _arrow(table: Any) -> pa.Table:
    return table if isinstance(table, pa.Table) else pa.Table.from_pandas(table, preserve_index=False)
