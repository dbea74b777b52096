"""Weights quantized without retraining."""

from __future__ import annotations

import torch

import bquant

from ...train import accuracy
from .. import layers, plots
from ..result import Finding, Result
from ..schemes import FLOAT, bits
from ..statistics import mean_and_interval, text

SCHEMES = (
    *(f"ls-{k}" for k in range(1, 5)), *(f"gf-{k}" for k in range(1, 5)), "ls-T", "twn",
    *(f"dorefa-w-{k}" for k in range(1, 5)),
)  # fmt: skip


def run(study) -> Result:
    study.train([FLOAT])
    seeds = range(study.seeds(FLOAT))
    found: dict[str, list[float]] = {"fp": []}
    for seed in seeds:
        model = study.network(FLOAT, seed)
        weights = {name: m.weight.detach().clone() for name, m in layers.layers(model).items()}
        found["fp"].append(accuracy(model, study.data, study.data.test))
        for scheme in SCHEMES:
            _quantize(model, weights, scheme)
            found.setdefault(scheme, []).append(accuracy(model, study.data, study.data.test))
    rows = []
    for scheme, values in found.items():
        mean, interval = mean_and_interval(values)
        rows.append(
            {"weights": scheme, "bits": bits(scheme), "seeds": len(values), "accuracy": mean,
             "interval": interval}
        )  # fmt: skip
    means = {row["weights"]: row["accuracy"] for row in rows}
    findings = [
        Finding(
            f"{better} keeps more accuracy than {worse}",
            f"{text(found[better], 100, ' %')} against {text(found[worse], 100, ' %')}",
            means[better] > means[worse],
        )
        for better, worse in (
            ("ls-2", "gf-2"), ("ls-3", "gf-3"), ("ls-4", "gf-4"), ("ls-T", "ls-1"),
            ("ls-2", "ls-T"), ("ls-T", "twn"), ("ls-2", "dorefa-w-2"),
        )
    ]  # fmt: skip
    return Result(
        "Weights quantized after training",
        "Test accuracy of the float network when the weights of the layers that are quantized "
        "elsewhere are replaced, scalars for each filter; activations stay float, and nothing is "
        "trained again.",
        rows,
        _figure(rows),
        findings,
    )


@torch.no_grad()
def _quantize(model, weights: dict, scheme: str) -> None:
    for name, module in layers.layers(model).items():
        quantized = bquant.quantize(weights[name].contiguous().numpy(), scheme, axis=0)
        module.weight.copy_(torch.from_numpy(quantized.dequantize()))


def _figure(rows):
    figure, axes = plots.figure()
    axes.axhline(100 * rows[0]["accuracy"], color="0.6", ls="--")
    for kind in ("ls", "gf", "dorefa"):
        chosen = [r for r in rows if r["weights"].startswith(kind) and r["weights"] != "ls-T"]
        axes.plot(
            [r["bits"] for r in chosen], [100 * r["accuracy"] for r in chosen], "o-",
            color=plots.color(kind), label=kind,
        )  # fmt: skip
    for row in rows:
        if row["weights"] in ("ls-T", "twn"):
            axes.plot(row["bits"], 100 * row["accuracy"], "s", color=plots.color(row["weights"]))
            axes.annotate(
                row["weights"], (row["bits"], 100 * row["accuracy"]), xytext=(5, -3),
                textcoords="offset points", fontsize=8,
            )  # fmt: skip
    axes.set_xlabel("bits of a weight")
    axes.set_ylabel("test accuracy (%)")
    axes.legend()
    return figure
