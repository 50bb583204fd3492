"""The interval of a mean difference written plainly, cluster by cluster, from its definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cbrt, sqrt

import numpy as np

# The 97.5 % quantile of Student's t by degrees of freedom, from printed tables.
PRINTED_T = {
    29: 2.0452,
    39: 2.0227,
    49: 2.0096,
    59: 2.0010,
    99: 1.9842,
    199: 1.9720,
    499: 1.9647,
    999: 1.9623,
}


def quantile(freedom: int) -> float:
    """The printed quantile, or between two printed ones by 1/freedom."""
    below = max(known for known in PRINTED_T if known <= freedom)
    above = min((known for known in PRINTED_T if known > freedom), default=None)
    if above is None:
        return PRINTED_T[below]
    share = (1 / below - 1 / freedom) / (1 / below - 1 / above)
    return PRINTED_T[below] + share * (PRINTED_T[above] - PRINTED_T[below])


def interval(clusters: Mapping[str, Sequence[float]]) -> tuple[float, float]:
    """The 95 % interval of the mean over all values, whose clusters are independent of each other."""
    hands = sum(len(values) for values in clusters.values())
    mean = sum(sum(values) for values in clusters.values()) / hands
    residuals = [sum(value - mean for value in values) for values in clusters.values()]
    number = len(residuals)
    error = sqrt(number / (number - 1) * sum(each**2 for each in residuals)) / hands
    second = sum(each**2 for each in residuals) / number
    third = sum(each**3 for each in residuals) / number
    skew = third / second**1.5
    wide = quantile(sum(any(values) for values in clusters.values()) - 1)
    return mean - error * straightened(wide, skew, number), mean - error * straightened(-wide, skew, number)


def straightened(width: float, skew: float, number: int) -> float:
    """The T for which T + sT²/3 + s²T³/27 + s/6 is `width`, where s is skewness over the root of the number (Hall 1992)."""
    scaled = skew / sqrt(number)
    if abs(scaled) < 1e-6:
        return width
    return 3 / scaled * (cbrt(1 + scaled * (width - scaled / 6)) - 1)


def covered(values: Sequence[Sequence[float]], hands: int, truth: float) -> float:
    """How often the interval holds the truth: each of `values` are the differences of one log of so many hands, the rest zero."""
    held = 0
    for differences in values:
        zeros = {f"same {place}": [0.0] for place in range(hands - len(differences))}
        low, high = interval({str(place): [value] for place, value in enumerate(differences)} | zeros)
        held += low <= truth <= high
    return held / len(values)


def differing(generator: np.random.Generator, logs: int, hands: int, share: float) -> list[int]:
    """How many hands differ in each of some logs, never fewer than 30."""
    numbers = generator.binomial(hands, share, size=4 * logs)
    return [int(number) for number in numbers if number >= 30][:logs]
