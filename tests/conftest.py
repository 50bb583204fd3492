"""What several test modules share: the small store, the views over it, and a browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics import workers
from ddz_analytics.errors import DdzError
from ddz_analytics.locale.language import speak
from ddz_analytics.report import Report
from ddz_analytics.store.catalog import Connection, connect
from tests.reports import hostile_report, sample_store
from tests.small_store import small_tables, write_store
from tests.viewing import viewed_store

os.environ["DDZ_LANG"] = "en"  # what tests read is English, on a machine of any language
SPARK_MASTER = "local[2]"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip


@pytest.fixture(autouse=True)
def _speaks_english() -> Iterator[None]:
    """Whatever language a test chose, the next one speaks English."""
    yield
    speak("en")


@pytest.fixture
def side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is not long enough for it is done by several processes, too."""
    monkeypatch.setattr(workers, "LONG", 0.0)


@pytest.fixture(scope="session")
def six_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the six hands of `small_store`, in Shanghai."""
    return write_store(tmp_path_factory.mktemp("six") / "hands", small_tables(), "Asia/Shanghai")


@pytest.fixture(scope="session")
def to_view(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the documented hands and some sample logs, scored under two rule sets."""
    return viewed_store(tmp_path_factory.mktemp("viewed"))


@pytest.fixture(scope="session")
def views(six_hands: Path) -> Iterator[Connection]:
    """The views over the six hands."""
    with connect(six_hands) as connection:
        yield connection


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the sample logs, scored under every shipped rule set."""
    return sample_store(tmp_path_factory.mktemp("samples"))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    """The report on a store whose every text wants to be code, and the file of its page."""
    return hostile_report(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless browser."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = _browser()
    if program is None:
        pytest.skip("no Chromium was found")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def java() -> None:
    """What Spark needs is there."""
    from ddz_analytics.spark.session import check_java, check_pyspark

    try:
        check_pyspark()
        check_java()
    except DdzError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def spark(java: None) -> Iterator[Any]:
    """Spark on this machine with two workers; its Java compiles in haste, for it lives a minute."""
    from ddz_analytics.spark.session import session

    hasty = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
    with session(SPARK_MASTER, hasty) as running:
        yield running


def _browser() -> str | None:
    return next(
        (
            found
            for name in ("chromium", "chromium-browser", "google-chrome")
            if (found := shutil.which(name))
        ),
        None,
    )
