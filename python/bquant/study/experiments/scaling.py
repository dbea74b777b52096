"""Is one scalar enough? The singular values of |X|."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

import bquant

from .. import layers, plots
from ..result import Finding, Result

if TYPE_CHECKING:
    from ..study import Study

SHOWN = 32  # singular values in the picture


def run(study: Study) -> Result:
    random = np.random.default_rng(0)
    matrices = {"Gaussian": random.standard_normal((128, 4096)).astype(np.float32)}
    for name, x in layers.inputs(study.network(), study.images(128)).items():
        matrices[layers.short(name)] = x.reshape(len(x), -1)
    rows, spectra = [], {}
    for name, x in matrices.items():
        singular = np.linalg.svd(np.abs(x).astype(np.float64), compute_uv=False)
        spectra[name] = singular**2 / np.sum(singular**2)
        rows.append(
            {
                "layer": name,
                "first_energy": float(spectra[name][0]),
                "second_energy": float(spectra[name][1:2].sum()),
                "rank_1": bquant.quantize(x, "rank-1").energy,
                "xnor": bquant.quantize(x, "xnor").energy,
                "one_scalar": 1 - bquant.quantize(x, "ls-1").error,
            }
        )
    gaussian, real = rows[0], rows[1:]
    gain = max(row["rank_1"] - row["one_scalar"] for row in real)
    largest = max(row["second_energy"] / row["first_energy"] for row in real)
    findings = [
        Finding(
            "of Gaussian X the first singular value of |X| has 2/π = 63.7 % of the energy",
            f"{gaussian['first_energy']:.2%}",
            abs(gaussian["first_energy"] - 2 / math.pi) < 0.01,
        ),
        Finding(
            "|X| of real activations is near rank 1: the second singular value is small",
            f"its energy is up to {largest:.1%} of the first's",
            largest < 0.1,
        ),
        Finding(
            "scales of rows and columns (rank-1) gain little over one scalar",
            f"up to {100 * gain:.1f} points of energy, "
            f"{100 * float(np.mean([r['rank_1'] - r['one_scalar'] for r in real])):.1f} on average",
            gain < 0.1,
        ),
    ]
    return Result(
        "Is one scalar enough?",
        "X holds the inputs of a layer for 128 test images of the float network, a row each. "
        "Energies are shares of ||X||², which signs with these scales capture.",
        rows,
        _figure(rows, spectra),
        findings,
    )


def _figure(rows, spectra):
    figure, (left, right) = plots.figure(1, 2, size=(12, 4.5))
    for i, (name, energy) in enumerate(spectra.items()):
        color = "k" if name == "Gaussian" else plots.shade(i, len(spectra))
        width = 2 if name == "Gaussian" else 1
        shown = energy[:SHOWN]  # a small layer has fewer
        left.semilogy(1 + np.arange(len(shown)), shown, color=color, lw=width, label=name)
    left.axhline(2 / math.pi, color="0.6", ls=":")
    left.set_xlabel("singular value of |X|")
    left.set_ylabel("share of the energy")
    left.legend(fontsize=6, ncol=2)
    places = np.arange(len(rows))
    for offset, key in ((-0.25, "one_scalar"), (0, "xnor"), (0.25, "rank_1")):
        label = key.replace("_", " ")
        right.bar(places + offset, [row[key] for row in rows], 0.25, label=label)
    right.set_xticks(places, [row["layer"] for row in rows], rotation=60, fontsize=7)
    right.set_ylabel("energy captured by signs and scales")
    right.set_ylim(0, 1)
    right.legend()
    return figure
