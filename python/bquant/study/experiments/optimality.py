"""The optimal v_1 of two bits is a fixed point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import bquant

from .. import layers, plots
from ..result import Finding, Result

if TYPE_CHECKING:
    from ..study import Study

STEPS = 400


class Magnitudes:
    """|x|, sorted, with what sums of a part need."""

    def __init__(self, x: np.ndarray):
        self.values = np.sort(np.abs(x.astype(np.float64)).ravel())
        self.sums = np.concatenate([[0], np.cumsum(self.values)])
        self.squares = float(np.sum(self.values**2))

    def means(self, v):
        """The means of the magnitudes below v, and of those from v on."""
        n = np.clip(np.searchsorted(self.values, v), 1, len(self.values) - 1)
        total = self.sums[-1]
        return self.sums[n] / n, (total - self.sums[n]) / (len(self.values) - n)

    def average(self, v):
        """The average of the two conditional expectations, of which the optimum is a fixed
        point: v_1 = (E[|x| given |x| < v_1] + E[|x| given |x| >= v_1]) / 2."""
        low, high = self.means(v)
        return (low + high) / 2

    def error(self, v) -> float:
        """||x - x^q||^2 / ||x||^2 with the split at v and the best levels for it."""
        n = int(np.clip(np.searchsorted(self.values, v), 1, len(self.values) - 1))
        low, high = self.means(v)
        captured = n * low**2 + (len(self.values) - n) * high**2
        return (self.squares - captured) / self.squares

    def fixed_points(self) -> np.ndarray:
        grid = np.linspace(0, self.values[-1], 4 * STEPS)[1:-1]
        gap = self.average(grid) - grid
        found = np.nonzero((gap[:-1] > 0) & (gap[1:] <= 0) | (gap[:-1] < 0) & (gap[1:] >= 0))[0]
        return grid[found]


def run(study: Study) -> Result:
    random = np.random.default_rng(0)
    arrays = {"Gaussian": random.standard_normal(1 << 18).astype(np.float32)}
    for name, x in layers.inputs(study.network(), study.images(128)).items():
        arrays[layers.short(name)] = np.clip(x, -3, 3)
    rows, curves = [], {}
    for name, x in arrays.items():
        m = Magnitudes(x)
        solved = bquant.quantize(x.reshape(-1), "ls-2")
        v1, v2 = (float(v) for v in solved.scalars)
        points = m.fixed_points()
        scan = np.linspace(0, m.values[-1], 4 * STEPS)[1:-1]
        best = min(m.error(v) for v in scan)
        curves[name] = (m, v1)
        rows.append(
            {
                "layer": name,
                "v1": v1,
                "v2": v2,
                "average_at_v1": float(m.average(v1)),
                "fixed_points": len(points),
                "error": solved.error,
                "least_error_of_a_scan": best,
                "gf_2_error": bquant.quantize(x.reshape(-1), "gf-2").error,
                "lloyd_2_error": bquant.quantize(x.reshape(-1), "lloyd-2").error,
            }
        )
    off = max(abs(row["average_at_v1"] - row["v1"]) / row["v1"] for row in rows)
    worse = max(row["error"] - row["least_error_of_a_scan"] for row in rows)
    gain = [row["gf_2_error"] / row["error"] for row in rows]
    above = [row["error"] / row["lloyd_2_error"] for row in rows]
    findings = [
        Finding(
            "the optimal v1 is the average of the two conditional expectations it splits",
            f"the solver's v1 is within {off:.2%} of it in every layer",
            off < 0.01,
        ),
        Finding(
            "among the fixed points the solver takes the best",
            f"{max(row['fixed_points'] for row in rows)} fixed points at most; no split of a scan "
            f"has an error that is less by more than {max(worse, 0):.1e}",
            worse < 1e-5,
        ),
        Finding(
            "greedy scalars (gf-2) are not optimal",
            f"their error is {min(gain):.2f} to {max(gain):.2f} times that of ls-2",
            min(gain) > 1,
        ),
        Finding(
            "the error of ls-2 is near the least of any four levels (lloyd-2)",
            f"{min(above):.3f} to {max(above):.3f} times it",
            max(above) < 1.1,
        ),
    ]
    return Result(
        "The optimal scalars of two bits",
        "v1 against the average of the two conditional expectations that it splits |x| into; "
        "where the curve meets the diagonal is a fixed point, the dot is what the solver chose. "
        "Inputs of the layers of the float network, clamped to ±3, 128 test images.",
        rows,
        _figure(curves),
        findings,
    )


def _figure(curves):
    figure, axes = plots.figure()
    for i, (name, (m, v1)) in enumerate(curves.items()):
        grid = np.linspace(0, min(m.values[-1], 3.5), STEPS)[1:-1]
        color = "k" if name == "Gaussian" else plots.shade(i, len(curves))
        axes.plot(grid, m.average(grid), color=color, lw=1, label=name)
        axes.plot([v1], [m.average(v1)], "o", color=color, ms=4)
    axes.plot([0, 2.5], [0, 2.5], color="0.6", ls="--")
    axes.set_xlabel("v1")
    axes.set_ylabel("average of the two conditional expectations")
    axes.legend(fontsize=6, ncol=2)
    return figure
