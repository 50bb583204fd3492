"""How one hand comes to its score under a rule set: every step in words, with its numbers, its clause and its place in the hand."""

from ddz_analytics.explain.hand import WorkedStep, decimal_text
from ddz_analytics.explain.steps import worked

__all__ = ["WorkedStep", "decimal_text", "worked"]
