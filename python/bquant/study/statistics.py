"""Means and their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np


def _within(angle: float, degrees: int) -> float:
    """The probability that Student's |t| is at most sqrt(degrees) tan(angle) (Abramowitz and
    Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4)."""
    is_odd, cosine = degrees % 2, math.cos(angle)
    total, term = 0.0, cosine if is_odd else 1.0
    for k in range(2 + is_odd, degrees + 1, 2):
        total += term
        term *= cosine**2 * (k - 1) / k
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if is_odd else total


@cache
def _student_t(degrees: int) -> float:
    """Two-sided, of 95 %."""
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if _within(middle, degrees) < 0.95:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees) * math.tan(low)


def mean_and_interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval (NaN for one value)."""
    values = np.asarray(values, np.float64)
    n = len(values)
    if n < 2:
        return float(values.mean()), math.nan
    return float(values.mean()), float(_student_t(n - 1) * values.std(ddof=1) / math.sqrt(n))


def text(values: Sequence[float], scale: float = 1.0, unit: str = "") -> str:
    mean, interval = mean_and_interval([scale * value for value in values])
    half = "" if math.isnan(interval) else f" ± {interval:.2f}"
    return f"{mean:.2f}{half}{unit}"
