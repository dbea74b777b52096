"""Weights quantized without retraining."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

import bquant

from ...models import calibrate
from ...train import accuracy
from .. import layers, plots
from ..result import Finding, Result
from ..schemes import FLOAT, bits
from ..statistics import mean_and_interval, text

if TYPE_CHECKING:
    from ..study import Study

SCHEMES = (
    *(f"ls-{k}" for k in range(1, 5)), *(f"gf-{k}" for k in range(1, 5)), "ls-T", "twn",
    *(f"dorefa-w-{k}" for k in range(1, 5)),
)  # fmt: skip


BATCHES = 10  # of 128 images to train on, for the batch norms


def run(study: Study) -> Result:
    study.train([FLOAT])
    seeds = range(study.seeds(FLOAT))
    found: dict[str, list[float]] = {}
    again: dict[str, list[float]] = {}
    images = study.data.prepare(study.data.train.images[: 128 * BATCHES]).split(128)
    for seed in seeds:
        model = study.network(FLOAT, seed)
        weights = {name: m.weight.detach().clone() for name, m in layers.layers(model).items()}
        state = {name: value.clone() for name, value in model.state_dict().items()}
        for scheme in ("fp", *SCHEMES):
            model.load_state_dict(state)
            if scheme != "fp":
                _quantize(model, weights, scheme)
            for values in (found, again):
                if values is again:
                    calibrate(model, images)
                values.setdefault(scheme, []).append(accuracy(model, study.data, study.data.test))
    rows = []
    for scheme, values in found.items():
        mean, interval = mean_and_interval(values)
        mean_again, interval_again = mean_and_interval(again[scheme])
        rows.append(
            {"weights": scheme, "bits": bits(scheme), "seeds": len(values), "accuracy": mean,
             "interval": interval, "accuracy_with_norms": mean_again,
             "interval_with_norms": interval_again}
        )  # fmt: skip
    return Result(
        "Weights quantized after training",
        "Test accuracy of the float network when the weights of the layers that are quantized "
        "elsewhere are replaced, scalars for each filter; activations stay float, and nothing is "
        "trained again. dorefa-w are the uniform levels, stretched to each filter's largest value. "
        "Least squares makes weights smaller, uniform levels make them larger, and batch norms do "
        f"not know of it: with norms, these are estimated again, on {BATCHES} batches.",
        rows,
        _figure(rows),
        [*_findings(found, ""), *_findings(again, ", with batch norms estimated again")],
    )


def _findings(found: dict[str, list[float]], how: str) -> list[Finding]:
    return [
        Finding(
            f"{better} keeps more accuracy than {worse}{how}",
            f"{text(found[better], 100, ' %')} against {text(found[worse], 100, ' %')}",
            sum(found[better]) > sum(found[worse]),
        )
        for better, worse in (
            ("ls-2", "gf-2"), ("ls-3", "gf-3"), ("ls-4", "gf-4"), ("ls-T", "ls-1"),
            ("ls-2", "ls-T"), ("ls-T", "twn"), ("ls-2", "dorefa-w-2"),
        )
    ]  # fmt: skip


@torch.no_grad()
def _quantize(model, weights: dict, scheme: str) -> None:
    for name, module in layers.layers(model).items():
        quantized = bquant.quantize(weights[name].contiguous().numpy(), scheme, axis=0)
        values = torch.from_numpy(quantized.dequantize())
        if scheme.startswith("dorefa-w") and scheme != "dorefa-w-1":
            # Levels in [-1, 1] stand for tanh w over its largest, which a trained network does
            # not know of: back to the filter's own.
            values *= weights[name].abs().amax((1, 2, 3), keepdim=True).tanh()
        module.weight.copy_(values)


def _figure(rows):
    figure, panels = plots.figure(1, 2, size=(11, 4.5))
    for axes, key, title in zip(
        panels, ("accuracy", "accuracy_with_norms"),
        ("nothing else changed", "batch norms estimated again"), strict=True,
    ):  # fmt: skip
        axes.axhline(100 * rows[0][key], color="0.6", ls="--")
        for kind in ("ls", "gf", "dorefa"):
            chosen = [r for r in rows if r["weights"].startswith(kind) and r["weights"] != "ls-T"]
            axes.plot(
                [r["bits"] for r in chosen], [100 * r[key] for r in chosen], "o-",
                color=plots.color(kind), label="uniform" if kind == "dorefa" else kind,
            )  # fmt: skip
        for row in rows:
            if row["weights"] in ("ls-T", "twn"):
                axes.plot(row["bits"], 100 * row[key], "s", color=plots.color(row["weights"]))
                axes.annotate(
                    row["weights"], (row["bits"], 100 * row[key]), xytext=(5, -3),
                    textcoords="offset points", fontsize=8,
                )  # fmt: skip
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("bits of a weight")
        axes.set_ylabel("test accuracy (%)")
    panels[0].legend()
    return figure
