"""docs/extending.md followed to the letter, each section in a folder and a process of its own; `python -m tests.extending` renews it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tests.walkthroughs import ROOT, Written, lay_out, played, steps, with_outputs

PAGE = ROOT / "docs" / "extending.md"


def sections() -> list[str]:
    """The page in pieces: what stands before the first section, and the sections."""
    return re.split(r"(?m)^(?=## )", PAGE.read_text("utf-8"))


def follow(section: str, folder: Path) -> list[tuple[int, list[str]]]:
    """Do what a section says, in a copy if it changes the package: the exit code of each of its commands, and what it prints."""
    if any(isinstance(step, Written) and step.is_diff for step in steps(section)):
        shutil.copytree(ROOT / "ddz_analytics", folder / "ddz_analytics")
    lay_out(section, folder)
    _install(folder)
    (folder / "section.md").write_text(section, "utf-8")
    path = os.pathsep.join([str(folder), str(ROOT)])
    run = subprocess.run(
        [sys.executable, "-m", "tests.extending", "section.md"],
        cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    found: list[tuple[int, list[str]]] = json.loads(run.stdout)
    return found


def _install(folder: Path) -> None:
    """What installing the package whose pyproject.toml lies in a folder says of its entry points."""
    project = folder / "pyproject.toml"
    if not project.exists():
        return
    said = tomllib.loads(project.read_text("utf-8"))["project"]
    about = folder / f"{said['name'].replace('-', '_')}-{said['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Name: {said['name']}\nVersion: {said['version']}\n", "utf-8")
    points = [
        f"[{group}]\n" + "".join(f"{n} = {at}\n" for n, at in each.items())
        for group, each in said["entry-points"].items()
    ]
    (about / "entry_points.txt").write_text("".join(points), "utf-8")


def main() -> None:
    """With the name of a file play it here, else write the page anew."""
    if len(sys.argv) > 1:
        text = Path(sys.argv[1]).read_text("utf-8")
        json.dump([(code, printed) for _, code, printed in played(text, Path.cwd())], sys.stdout)
        return
    told = []
    for section in sections():
        with tempfile.TemporaryDirectory() as folder:
            told.append(with_outputs(section, [printed for _, printed in follow(section, Path(folder))]))
    PAGE.write_text("".join(told), "utf-8")


if __name__ == "__main__":
    main()
