"""The best scalar quantizer of an array, whatever its levels: what no scheme of as many bits beats.

Max, Quantizing for Minimum Distortion, 1960; Lloyd, Least Squares Quantization in PCM, 1982: each
value goes to its nearest level, each level is the mean of its values, in turn until nothing moves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# For up to this number of different values the optimum is found by dynamic programming.
_EXACT = 512

Doubles = NDArray[np.float64]


def levels_of(x: Doubles, count: int) -> Doubles:
    """`count` levels of least ||x - x^q||^2, ascending; the last stands again where x has fewer
    different values. Of more than 512 different values, the better end of two starts: cuts of equal
    counts and of equal widths."""
    values, numbers = np.unique(x, return_counts=True)
    if len(values) <= count:
        return np.pad(values, (0, count - len(values)), mode="edge")
    weights = np.pad(np.cumsum(numbers), (1, 0)).astype(np.float64)
    sums = np.pad(np.cumsum(values * numbers), (1, 0))
    if len(values) <= _EXACT:
        cuts = _best_cuts(weights, sums, count)
    else:
        equal_counts = np.searchsorted(weights, weights[-1] * np.arange(1, count) / count)
        widths = np.linspace(values[0], values[-1], count + 1)[1:-1]
        starts = (equal_counts, np.searchsorted(values, widths))
        cuts = max(
            (_settle(values, weights, sums, cuts) for cuts in starts),
            key=lambda cuts: _captured(weights, sums, cuts),
        )
    return np.diff(_at(sums, cuts)) / np.diff(_at(weights, cuts))


def _at(prefix: Doubles, cuts: NDArray[np.intp]) -> Doubles:
    return prefix[np.concatenate([[0], cuts, [len(prefix) - 1]])]


def _captured(weights: Doubles, sums: Doubles, cuts: NDArray[np.intp]) -> float:
    """||x^q||^2 of levels that are means; ||x||^2 less it is the error."""
    return float((np.diff(_at(sums, cuts)) ** 2 / np.diff(_at(weights, cuts))).sum())


def _settle(
    values: Doubles, weights: Doubles, sums: Doubles, cuts: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Nearest levels and means in turn, as long as the error falls."""
    steps = np.arange(len(cuts))
    kept, captured = cuts, -np.inf
    while True:
        # No part is empty: each cut is at least one value after the one before.
        cuts = np.maximum.accumulate(np.maximum(cuts - steps, 1)) + steps
        cuts = np.minimum(cuts, len(values) - len(cuts) + steps)
        if (now := _captured(weights, sums, cuts)) <= captured:
            return kept
        kept, captured = cuts, now
        levels = np.diff(_at(sums, cuts)) / np.diff(_at(weights, cuts))
        cuts = np.searchsorted(values, (levels[1:] + levels[:-1]) / 2)


def _best_cuts(weights: Doubles, sums: Doubles, count: int) -> NDArray[np.intp]:
    """The optimum: best[j] of the values before j, with one level more in each round."""
    n = len(sums) - 1
    of_part = np.full((n + 1, n + 1), -np.inf)
    start, end = np.triu_indices(n + 1, 1)
    of_part[start, end] = (sums[end] - sums[start]) ** 2 / (weights[end] - weights[start])
    best, choices = of_part[0], []
    for _ in range(count - 1):
        totals = best[:, np.newaxis] + of_part
        choices.append(totals.argmax(0))
        best = totals.max(0)
    cuts = [n]
    for choice in reversed(choices):
        cuts.append(choice[cuts[-1]])
    return np.array(cuts[:0:-1])
