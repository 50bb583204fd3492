"""A store opened in Python: `ddz.open(path)` has the questions of the command, asked of the same functions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

import pyarrow as pa

from ddz_analytics.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from ddz_analytics.hands import Hand
    from ddz_analytics.ingest.dedupe import Dedupe
    from ddz_analytics.ingest.summary import Summary
    from ddz_analytics.rescore import Rescored, Scenario
    from ddz_analytics.rules import RuleSet
    from ddz_analytics.verify import Finding

BALANCES = ("recorded", "chained")
DEDUPE = ("content", "id", "none")
PathLikes = str | PathLike[str]
Specs = str | Sequence[str]
"""Rule sets as the command names them: ids or rule files, with overlays; one text with commas, or a sequence of names."""
Value = str | int | float | bool | None
Settings = Mapping[str, Value | Sequence[Value]]
"""Parameters to vary: `{"cap.doublings": [3, 4]}`; several make a grid."""


class HowToIngest(TypedDict, total=False):
    """The options of `ddz ingest`, by the names of `ingest.Options`; `format="facts"` takes tables of settlement rows."""

    format: str
    dedupe: Dedupe
    dry_run: bool
    jobs: int
    mapping: Path
    pseudonyms: Path
    reparse: bool
    sample: str
    stop_after: int
    tz: str
    agents: dict[str, str]


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

        _check("dedupe", how.get("dedupe", "content"), DEDUPE)
        for file in ("mapping", "pseudonyms"):
            if file in how:
                how[file] = Path(how[file])
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

        _check("balances", balances, BALANCES)
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

        `tables`: own tables, Arrow or DataFrames, that the question joins by name. What the command would note, such as several
        rule sets summed together, is a warning.
        """
        from ddz_analytics.query import answer

        joined = {name: _arrow(name, table) for name, table in (tables or {}).items()}
        found = answer(self.path, query, tables=joined)
        for note in found.notes:
            warnings.warn(note, stacklevel=2)
        return found.rows if arrow else _frame(found.rows)

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
        from ddz_analytics.cli.compared import Wanted, tables_of

        _check("balances", balances, BALANCES)
        if where is not None:
            check_where(self.path, where)
        wanted = Wanted(balances, where, tuple(by), worst, advance)
        chosen = self._chosen(baseline, against, set)
        tables, _ = tables_of(self.path, chosen, wanted, jobs, varied=bool(set), quiet=True)
        return {title: _frame(table) for title, table in tables.items()}

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
        lang: Literal["en", "zh"] = "en",
        jobs: int = 1,
    ) -> Path:
        """Write the HTML report to a path, and its numbers as JSON beside it, of what `compare` would compare; the path."""
        from ddz_analytics.cli.common import check_folder
        from ddz_analytics.cli.reporting import Asked, put_report

        page = Path(path)
        check_folder(page)
        _check("balances", balances, BALANCES)
        chosen = self._chosen(baseline, against, set)
        put_report(self.path, chosen, _settings(set), Asked(page, balances, where, advance, lang, jobs))
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
        from ddz_analytics.cli.one_hand import named_hand, rules_of, rules_wanted
        from ddz_analytics.explain.explained import Question, explain
        from ddz_analytics.explain.plain import as_text
        from ddz_analytics.store.catalog import connect

        hand_id, recorded = named_hand(self.path, str(hand), quiet=True)
        names = [rules or rules_of(self.path, recorded), *([vs] if vs else [])]
        wanted = rules_wanted(self.path, names, "recorded", jobs=1)
        with connect(self.path) as connection:
            return as_text(explain(connection, Question(hand_id, wanted, "recorded", lang)))

    def info(self) -> dict[str, Any]:
        """What is in the store, and what its logs can and cannot say, as `ddz info --json` has it."""
        from ddz_analytics.info import info

        return info(self.path)

    def verify(self) -> list[Finding]:
        """All that is wrong with the store; nothing when it is whole."""
        from ddz_analytics.verify import verify

        return verify(self.path)

    def _chosen(
        self, baseline: str | None, against: Specs | None, settings: Settings | None
    ) -> list[RuleSet]:
        """The baseline and the others."""
        from ddz_analytics.cli.scoring import chosen_rules

        specs = None if against is None else _one_text(against)
        return chosen_rules(self.path, baseline, specs, _settings(settings), quiet=True)


def _check(name: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a word that an argument does not have."""
    if value not in allowed:
        raise UsageError("argument", f"{name} = {value!r}", mend=f"one of {', '.join(allowed)}")


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


def _arrow(name: str, table: object) -> pa.Table:
    from ddz_analytics.ingest.memory import as_table

    found = as_table(table)
    if found is None:
        raise UsageError(
            "argument", f"{name} is a {type(table).__name__}", mend="give an Arrow table or a DataFrame"
        )
    return found
