"""What decides between ls-2 and gf-2: the clamp, the start, the seed?"""

from __future__ import annotations

import statistics

from .. import plots, trainings
from ..result import Finding, Result
from ..schemes import Scheme
from ..statistics import mean_and_interval

EPOCHS = 2
CLAMPS = (2.0, 3.0)  # the second is the paper's for two planes
STARTS = {"scratch": "random weights", "teacher": "the float network"}


def _scheme(activations: str, clamp: float) -> Scheme:
    return Scheme(f"{activations} within {clamp:g}", activations, "ls-1", 3, clamp=clamp)


def run(study) -> Result:
    rows, gaps = [], {}
    for start in STARTS:
        setting = study.setting.of_students(epochs=min(EPOCHS, study.setting.epochs), start=start)
        schemes = {(a, c): _scheme(a, c) for c in CLAMPS for a in ("ls-2", "gf-2")}
        study.train(list(schemes.values()), setting=setting)
        ended = trainings.rows(setting)
        for clamp in CLAMPS:
            accuracies = {}
            for activations in ("ls-2", "gf-2"):
                name = schemes[activations, clamp].name
                own = {
                    row["seed"]: float(row["accuracy"]) for row in ended if row["scheme"] == name
                }
                accuracies[activations] = own
                mean, interval = mean_and_interval(list(own.values()))
                rows.append(
                    {
                        "start": STARTS[start],
                        "clamp": clamp,
                        "activations": activations,
                        "seeds": len(own),
                        "accuracy": mean,
                        "interval": interval,
                        "least": min(own.values()),
                        "greatest": max(own.values()),
                    }
                )
            ls, gf = accuracies["ls-2"], accuracies["gf-2"]
            gaps[start, clamp] = [100 * (ls[seed] - gf[seed]) for seed in ls]
    return Result(
        "What decides between ls-2 and gf-2",
        f"Test accuracy after {min(EPOCHS, study.setting.epochs)} epochs with weights ls-1, for "
        "two clamps and two starts. Differences are ls-2 less gf-2 of the same seed.",
        rows,
        _figure(gaps),
        _findings(gaps),
    )


def _findings(gaps: dict) -> list[Finding]:
    findings = []
    for (start, clamp), values in gaps.items():
        mean = statistics.mean(values)
        each = ", ".join(f"{value:+.2f}" for value in values)
        findings.append(
            Finding(
                f"ls-2 is above gf-2 within ±{clamp:g}, from {STARTS[start]}",
                f"{mean:+.2f} points on average, each seed: {each}",
                mean > 0,
            )
        )
    return findings


def _figure(gaps):
    figure, axes = plots.figure(size=(7, 3.5))
    for i, values in enumerate(gaps.values()):
        axes.plot(values, [i] * len(values), "o", color=plots.color("ls"), alpha=0.6)
        axes.plot(statistics.mean(values), i, "|", color="k", ms=20)
    axes.axvline(0, color="0.6")
    labels = [f"{STARTS[start]}, clamp {clamp:g}" for start, clamp in gaps]
    axes.set_yticks(range(len(gaps)), labels)
    axes.set_ylim(-0.5, len(gaps) - 0.5)
    axes.set_xlabel("points of accuracy, ls-2 less gf-2, each seed and the mean")
    return figure
