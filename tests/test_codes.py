"""The catalogue of codes is complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ddz_analytics.settlement.assumptions import CODES

ROOT = Path(__file__).parents[1]
CATALOGUE = set(re.findall(r"`([a-z_.]+)`", (ROOT / "docs" / "codes.md").read_text("utf-8")))
SOURCES = [path.read_text("utf-8") for path in (ROOT / "ddz_analytics").rglob("*.py")]
CALLS = r'(?:Error|BadRecord|Rejected|fault|note|blame|refuse|Fault|refusal)\(\s*(?:\w+, )*"([a-z_]+)",'


@pytest.mark.parametrize("code", sorted({code for text in SOURCES for code in re.findall(CALLS, text)}))
def test_code_is_documented(code: str) -> None:
    """Every code that the package raises or notes stands in the catalogue."""
    assert code in CATALOGUE


@pytest.mark.parametrize("code", CODES)
def test_assumption_is_documented(code: str) -> None:
    """Every assumption stands in the catalogue."""
    assert code in CATALOGUE
