"""Replay, re-scoring and comparison of Dou Dizhu (斗地主) hand histories under alternative rule sets.

The public functions are found here and loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ddz_analytics.version import VERSION

if TYPE_CHECKING:
    from ddz_analytics.api import (
        Answer,
        AuctionResult,
        DdzError,
        Fault,
        Permission,
        Reading,
        RuleSet,
        Switches,
        auction,
        beats,
        classify,
        load_rules,
        may_double,
        minimise,
        settle,
    )
    from ddz_analytics.facade import Store, open

__version__ = VERSION

__all__ = [
    "Answer",
    "AuctionResult",
    "DdzError",
    "Fault",
    "Permission",
    "Reading",
    "RuleSet",
    "Store",
    "Switches",
    "auction",
    "beats",
    "classify",
    "load_rules",
    "may_double",
    "minimise",
    "open",
    "settle",
]
_OF_A_STORE = ("Store", "open")


if not TYPE_CHECKING:  # a type checker sees the names above, and refuses all others

    def __getattr__(name: str) -> Any:
        if name in __all__:
            module = "facade" if name in _OF_A_STORE else "api"
            return getattr(import_module(f"ddz_analytics.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted([*globals(), *__all__])
