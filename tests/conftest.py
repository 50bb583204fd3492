"""What several test modules share: the small store, and the views over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ddz_analytics.store.catalog import Connection, connect
from tests.small_store import small_tables, write_store


@pytest.fixture(scope="session")
def six_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the six hands of `small_store`, in Shanghai."""
    return write_store(tmp_path_factory.mktemp("six") / "hands", small_tables(), "Asia/Shanghai")


@pytest.fixture(scope="session")
def views(six_hands: Path) -> Iterator[Connection]:
    """The views over the six hands."""
    with connect(six_hands) as connection:
        yield connection
