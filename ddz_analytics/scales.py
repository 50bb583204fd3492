"""Scales of recorded scores that are no points (`scales.toml`), as relations for the view `reconciliation`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("scales.toml")


@cache
def scales() -> dict[str, Any]:
    """Every scale by its name: `source`, `formats`, and amounts as text (`winner`, `loser`, `fault`, `others`, `points` by category)."""
    return tomllib.loads(_FILE.read_text("utf-8"))


def scale_rows() -> list[tuple[str | None, ...]]:
    """A row per format that counts on a scale: format, scale, and what a winner, a loser, a seat in error and the others have."""
    return [
        (name, scale, found["winner"], found["loser"], found.get("fault"), found.get("others"))
        for scale, found in scales().items()
        for name in found["formats"]
    ]


def play_rows() -> list[tuple[str | None, ...]]:
    """A row per scale and category of combination: scale, category, what a play of it adds."""
    return [
        (scale, category, points)
        for scale, found in scales().items()
        for category, points in found.get("points", {}).items()
    ]
