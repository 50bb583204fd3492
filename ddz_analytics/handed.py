"""What Python hands over, as the command has it, and what it is given back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

import pyarrow as pa

from ddz_analytics.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from ddz_analytics.ingest.dedupe import Dedupe

PathLikes = str | PathLike[str]
Lang = Literal["en", "zh"]
BALANCES = ("recorded", "chained")
DEDUPE = ("content", "id", "none")
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


def checked(how: HowToIngest) -> HowToIngest:
    """Options whose words exist, with files as paths; raises UsageError `argument`."""
    check_word("dedupe", how.get("dedupe", "content"), DEDUPE)
    found = how.copy()
    for file in ("mapping", "pseudonyms"):
        if file in found:
            found[file] = Path(found[file])
    return found


def check_balances(balances: str) -> None:
    """Refuse balances that are neither recorded nor chained; raises UsageError `argument`."""
    check_word("balances", balances, BALANCES)


def check_word(name: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a word that an argument does not have."""
    if value not in allowed:
        raise UsageError("argument", f"{name} = {value!r}", mend=f"one of {', '.join(allowed)}")


def one_text(specs: Specs) -> str:
    """Rule sets in one text, as `--rules` has them."""
    return specs if isinstance(specs, str) else ",".join(specs)


def settings_of(given: Settings | None) -> tuple[str, ...]:
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


def as_frame(table: pa.Table) -> pd.DataFrame:
    """An Arrow table as a DataFrame of Arrow's types: decimals stay decimals."""
    import pandas as pd

    frame: pd.DataFrame = table.to_pandas(types_mapper=pd.ArrowDtype)
    return frame


def as_arrow(name: str, table: object) -> pa.Table:
    """An own table; raises UsageError `argument` for what is none."""
    from ddz_analytics.ingest.memory import as_table

    found = as_table(table)
    if found is None:
        raise UsageError(
            "argument", f"{name} is a {type(table).__name__}", mend="give an Arrow table or a DataFrame"
        )
    return found
