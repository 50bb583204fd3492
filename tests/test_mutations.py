"""The agreement test is worth something: it catches every mistake that is made on purpose."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ddz_analytics
from tests.mutations import CAUGHT, MUTATIONS, Mutation, sample

ROOT = Path(__file__).parents[1]
PACKAGE = Path(ddz_analytics.__file__).parent


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "hands.pickle"
    path.write_bytes(pickle.dumps(tuple(sample())))
    return path


def held_against_the_oracle(folder: Path, hands: Path) -> subprocess.CompletedProcess[str]:
    """The agreement test on some hands, over the package in a folder."""
    command = [sys.executable, "-m", "tests.mutations", str(hands)]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def copy_of_the_package(folder: Path) -> Path:
    """A copy of the package in a folder, without what engine and rules do not need."""
    return shutil.copytree(
        PACKAGE, folder / "ddz_analytics", ignore=shutil.ignore_patterns("__pycache__", "report")
    )


def test_each_mistake_can_be_made() -> None:
    """The text that a mistake changes stands once in its file: what is rewritten keeps its mistakes."""
    gone = [
        mutation.name
        for mutation in MUTATIONS
        if (PACKAGE / mutation.file).read_text("utf-8").count(mutation.right) != 1
    ]
    assert gone == []


@pytest.mark.long
def test_the_package_as_it_is_agrees(tmp_path: Path, hands: Path) -> None:
    """Without a mistake nothing is caught."""
    copy_of_the_package(tmp_path)
    done = held_against_the_oracle(tmp_path, hands)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_mistake_is_caught(mutation: Mutation, tmp_path: Path, hands: Path) -> None:
    """A mistake in the engine or in a rule file makes the agreement test fail."""
    file = copy_of_the_package(tmp_path) / mutation.file
    text = file.read_text("utf-8")
    file.write_text(text.replace(mutation.right, mutation.wrong), "utf-8")
    done = held_against_the_oracle(tmp_path, hands)
    assert done.returncode == CAUGHT, done.stdout + done.stderr
