"""Arrow without pandas, which it would load, for a fifth of a second, at the first list that it is given."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder

import pyarrow as pa


def leave_pandas_out() -> None:
    """Have Arrow find out now that there is no pandas, unless that is loaded already.

    From then on it looks for pandas only where a DataFrame is asked for, and everybody else finds it as ever. For processes of our
    own: to Arrow a Series that somebody hands it would be any other sequence.
    """
    if "pandas" not in sys.modules:
        nowhere = _Nowhere()
        sys.meta_path.insert(0, nowhere)
        pa.array([0])
        sys.meta_path.remove(nowhere)


class _Nowhere(MetaPathFinder):
    def find_spec(self, name: str, *_: object) -> None:
        """Refuse pandas."""
        if name == "pandas":
            raise ModuleNotFoundError("not looked for", name=name)
