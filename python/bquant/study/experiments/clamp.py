"""What decides between ls-2 and gf-2: the clamp, the start, the gradient, the seed?"""

from __future__ import annotations

import itertools
import statistics
from functools import partial
from typing import TYPE_CHECKING

from ... import nn
from .. import plots, trainings
from ..result import Finding, Result
from ..schemes import Scheme
from ..statistics import mean_and_interval

if TYPE_CHECKING:
    from ..study import Study

EPOCHS = 2
STARTS = {"scratch": "random weights", "teacher": "the float network"}
# (clamp, gradient of the signs); the last clamp is the paper's for two planes.
QUANTIZERS = ((2.0, "hardtanh"), (3.0, "hardtanh"), (3.0, "identity"))


def _scheme(activations: str, clamp: float, gradient: str) -> Scheme:
    conv = partial(nn.BinaryConv2d, gradient=gradient)
    return Scheme(f"{activations} {_text(clamp, gradient)}", activations, "ls-1", 3, conv, clamp)


def _text(clamp: float, gradient: str) -> str:
    return f"within {clamp:g}" + ("" if gradient == "hardtanh" else f", {gradient}")


def run(study: Study) -> Result:
    rows, gaps = [], {}
    epochs = min(EPOCHS, study.setting.epochs)
    for start, (clamp, gradient) in itertools.product(STARTS, QUANTIZERS):
        setting = study.setting.of_students(epochs=epochs, start=start)
        schemes = [_scheme(activations, clamp, gradient) for activations in ("ls-2", "gf-2")]
        study.train(schemes, setting=setting)
        accuracies = [trainings.accuracies(setting, scheme) for scheme in schemes]
        for scheme, own in zip(schemes, accuracies, strict=True):
            mean, interval = mean_and_interval(list(own.values()))
            rows.append(
                {
                    "start": STARTS[start],
                    "clamp": clamp,
                    "gradient": gradient,
                    "activations": scheme.activations,
                    "seeds": len(own),
                    "accuracy": mean,
                    "interval": interval,
                    "least": min(own.values()),
                    "greatest": max(own.values()),
                }
            )
        ls, gf = accuracies
        gaps[f"{_text(clamp, gradient)}, from {STARTS[start]}"] = [
            100 * (ls[seed] - gf[seed]) for seed in ls
        ]
    return Result(
        "What decides between ls-2 and gf-2",
        f"Test accuracy after {epochs} epochs with weights ls-1, for two clamps, starts and "
        "gradients. Differences are ls-2 less gf-2 of the same seed.",
        rows,
        _figure(gaps),
        [_finding(case, values) for case, values in gaps.items()],
    )


def _finding(case: str, values: list[float]) -> Finding:
    mean = statistics.mean(values)
    each = ", ".join(f"{value:+.2f}" for value in values)
    found = f"{mean:+.2f} points on average, each seed: {each}"
    return Finding(f"ls-2 is above gf-2 {case}", found, mean > 0)


def _figure(gaps):
    figure, axes = plots.figure(size=(8, 4))
    for i, values in enumerate(gaps.values()):
        axes.plot(values, [i] * len(values), "o", color=plots.color("ls"), alpha=0.6)
        axes.plot(statistics.mean(values), i, "|", color="k", ms=20)
    axes.axvline(0, color="0.6")
    axes.set_yticks(range(len(gaps)), list(gaps))
    axes.set_ylim(-0.5, len(gaps) - 0.5)
    axes.set_xlabel("points of accuracy, ls-2 less gf-2, each seed and the mean")
    return figure
