"""Means and their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

# Student's t, two-sided 95 %, by degrees of freedom; beyond them that of the normal distribution.
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


def mean_and_interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval (NaN for one value)."""
    values = np.asarray(values, np.float64)
    n = len(values)
    if n < 2:
        return float(values.mean()), math.nan
    t = _T[n - 2] if n - 2 < len(_T) else 1.96
    return float(values.mean()), float(t * values.std(ddof=1) / math.sqrt(n))


def text(values: Sequence[float], scale: float = 1.0, unit: str = "") -> str:
    mean, interval = mean_and_interval([scale * value for value in values])
    half = "" if math.isnan(interval) else f" ± {interval:.2f}"
    return f"{mean:.2f}{half}{unit}"
