"""Replay, re-scoring and comparison of Dou Dizhu (斗地主) hand histories under alternative rule sets."""

from __future__ import annotations

from ddz_analytics.version import VERSION

__version__ = VERSION
