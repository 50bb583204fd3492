"""docs/notebook.py is a script that runs."""

from __future__ import annotations

import runpy

import pytest

from tests.walkthroughs import ROOT, lay_out


def test_notebook_runs(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every cell runs in the project's folder, in order; a hand made in memory is scored as the rule page says."""
    folder = tmp_path_factory.mktemp("notebook")
    lay_out("", folder)
    monkeypatch.chdir(folder)
    runpy.run_path(str(ROOT / "docs" / "notebook.py"))
    printed = capsys.readouterr().out
    assert "Counts(read=2, stored=1, duplicate=0, rejected=1, skipped=0)" in printed
