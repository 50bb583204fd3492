"""Commands killed at any moment: the store is whole, has the old content or the new, and run again gets the very same content."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from random import Random

import pytest

from ddz_analytics.store import open_store
from tests.killing import POINTS, Job, Victim, content, killed
from tests.stores import played

SEED = 20261130
KILLED = -9
VICTIMS: tuple[Victim, ...] = ("parent", "worker", "everybody")
BEGUN = ("later", "rescore", "chained")  # on a store that holds hands


class Scene:
    """A store before some work, and the same after it was done without disturbance; how long that took."""

    def __init__(self, folder: Path, work: str, hands: int) -> None:
        self.folder, self.before = folder, folder / "before"
        log, earlier = folder / "log.jsonl", folder / "earlier.jsonl"
        log.write_bytes(played(hands) + b"{}\nnonsense\n")
        self.job = Job("ingest" if work in ("first", "later") else work, log, 2, hands // 6)
        if work in BEGUN:
            earlier.write_bytes(played(hands, seed=2) + played(20))
            assert self.job._replace(work="ingest", log=earlier).run(self.before) == (0, "")
        done = self.fresh("undisturbed")
        self.content_before = content(done)
        begin = time.monotonic()
        assert self.job.run(done) == (0, "")
        self.seconds = time.monotonic() - begin
        self.content = content(done)
        assert self.content != self.content_before

    def fresh(self, name: str) -> Path:
        """The store as it was before, under another name."""
        store = self.folder / name
        shutil.rmtree(store, ignore_errors=True)
        if self.before.exists():
            shutil.copytree(self.before, store)
            open_store(store).catalog()
        return store


@pytest.fixture(scope="module")
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """An ingest into no store or into one with hands, or a re-scoring with recorded or chained balances; of so many hands."""
    work, hands = request.param
    return Scene(tmp_path_factory.mktemp(work), work, hands)


def scenes(hands: int, *works: str) -> pytest.MarkDecorator:
    """Run a test in each of these scenes."""
    return pytest.mark.parametrize("scene", [(work, hands) for work in works], ids=works, indirect=True)


def dies_at(scene: Scene, point: str) -> None:
    """The content is that of before until the manifest is renamed, then the new one, and after a rerun that."""
    store, alone = scene.fresh("killed"), scene.job._replace(jobs=1)
    assert alone.run(store, crash_at=point)[0] == KILLED
    renamed = point in ("after_manifest_rename", "before_catalog_rename")
    assert content(store) == (scene.content if renamed else scene.content_before)
    assert alone.run(store) == (0, "")
    assert content(store) == scene.content


def dies_again_and_again(scene: Scene, kills: int, seed: int) -> None:
    """So many reruns are killed at random, command or worker: the content is always the old or the new, in the end the new."""
    rng, store = Random(seed), scene.fresh("killed")
    while kills:
        code = killed(scene.job, store, rng.choice(VICTIMS), rng, scene.seconds * 0.7)
        kills -= code != 0
        found = content(store)
        assert found in (scene.content_before, scene.content), f"seed {seed}, {kills} kills before the end"
        if found == scene.content:
            store = scene.fresh("killed")
    assert scene.job.run(store) == (0, "")
    assert content(store) == scene.content, f"seed {seed}"


@pytest.mark.parametrize("point", POINTS)
@scenes(3_000, "first")
def test_killed_at_a_point(scene: Scene, point: str) -> None:
    """An ingest of some thousand hands killed at a named point leaves all or nothing, and a rerun completes it."""
    dies_at(scene, point)


@scenes(3_000, "first", *BEGUN)
def test_killed_at_random(scene: Scene) -> None:
    """An ingest or a re-scoring killed at a random time leaves all or nothing, and a rerun completes it."""
    dies_again_and_again(scene, kills=1, seed=SEED)


@pytest.mark.long
@pytest.mark.parametrize("point", POINTS)
@scenes(50_000, "first", *BEGUN)
def test_killed_at_a_point_with_many_hands(scene: Scene, point: str) -> None:
    """The same of fifty thousand hands, into a store with hands too, and of re-scoring."""
    dies_at(scene, point)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEED, SEED + 10))
@scenes(50_000, "first")
def test_two_hundred_kills(scene: Scene, seed: int) -> None:
    """An ingest of fifty thousand hands killed twenty times with each of ten seeds comes to the content of one undisturbed."""
    dies_again_and_again(scene, kills=20, seed=seed)


@pytest.mark.long
@scenes(50_000, *BEGUN)
def test_killed_at_random_with_many_hands(scene: Scene) -> None:
    """An ingest into a store with hands, and re-scorings, killed twenty times, come to the content of those undisturbed."""
    dies_again_and_again(scene, kills=20, seed=SEED)
