"""The paper's table: networks trained with each pair of schemes."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from .. import plots, trainings
from ..result import Finding, Result
from ..schemes import FLOAT, SCHEMES
from ..statistics import mean_and_interval, text
from ..trainings import Training

if TYPE_CHECKING:
    from ..study import Study

_ORDERS = (
    ("2/1 ls", "1/1 ls"), ("T/1 ls", "1/1 ls"), ("2/1 ls", "T/1 ls"), ("2/1 ls", "2/1 gf"),
    ("2/2 ls", "2/1 ls"), ("1/1 ls", "XNOR"), ("2/1 ls", "DoReFa 2/1"), ("2/1 ls", "HWGQ 2/1"),
    ("3/1 ls", "3/1 gf"), ("4/1 ls", "4/1 gf"),
)  # fmt: skip


def run(study: Study) -> Result:
    study.train([scheme for scheme in study.schemes])
    ended = trainings.rows(study.setting)
    rows, found = [], {}
    for scheme in SCHEMES:
        own = [row for row in ended if row["scheme"] == scheme.name]
        row = {
            "scheme": scheme.name,
            "activations": scheme.activations,
            "weights": scheme.weights,
            "seeds": len(own),
            "accuracy": "not run",
        }
        if own:
            found[scheme.name] = {r["seed"]: float(r["accuracy"]) for r in own}
            mean, interval = mean_and_interval(list(found[scheme.name].values()))
            row |= {
                "accuracy": mean,
                "interval": interval,
                "top5": mean_of(own, "top5"),
                "compiled_accuracy": mean_of(own, "compiled_accuracy"),
                "equal_predictions": mean_of(own, "equal_predictions"),
                "explained": ", ".join(r["explained"] for r in own),
                "weight_bytes": int(own[0]["weight_bytes"]),
                "hours": sum(float(r["seconds_per_epoch"]) * int(r["epochs"]) for r in own) / 3600,
            }
        else:
            wanted = [Training(scheme, seed) for seed in range(study.seeds(scheme))]
            row["hours"] = trainings.hours(study.setting, wanted)
        rows.append({**dict.fromkeys(_COLUMNS, ""), **row})
    return Result(
        "Networks trained with each scheme",
        f"Test accuracy after {study.setting.epochs} epochs, {_start(study)}; means of the seeds "
        "with 95 % intervals; top-5: the class is among the five of the greatest logits. The "
        "compiled network's accuracy is on all test images, and equal predictions are those that "
        "are PyTorch's. Hours are of one core.",
        rows,
        _figure(rows),
        _findings(found),
    )


def _start(study: Study) -> str:
    epochs = study.setting.of(FLOAT).epochs
    if study.setting.of_paper:
        return f"from random weights, with the float network ({epochs} epochs) as the teacher"
    return (
        f"on a warm start from the float network of the same seed ({epochs} epochs), which is the "
        "teacher, too (T² KL, T = 2)"
    )


_COLUMNS = (
    "scheme", "activations", "weights", "seeds", "accuracy", "interval", "top5",
    "compiled_accuracy", "equal_predictions", "explained", "weight_bytes", "hours",
)  # fmt: skip


def mean_of(rows, key: str) -> float:
    return sum(float(row[key]) for row in rows) / len(rows)


def _findings(found: dict) -> list[Finding]:
    findings = [order(found, better, worse) for better, worse in _ORDERS]
    for name, points in (("2/1 ls", 1.2), ("1/1 ls", 2.5)):
        if FLOAT.name in found and name in found:
            floats, own = _of_common_seeds(found, FLOAT.name, name)
            gap = 100 * (statistics.mean(floats) - statistics.mean(own))
            findings.append(
                Finding(
                    f"{name} comes within {points} points of float",
                    f"{gap:.2f} points below it",
                    gap <= points,
                )
            )
    return findings


def order(found: dict, better: str, worse: str) -> Finding:
    claim = f"{better} above {worse}"
    missing = [name for name in (better, worse) if name not in found]
    if missing:
        return Finding(claim, f"{', '.join(missing)} was not run", None)
    above, below = _of_common_seeds(found, better, worse)
    seeds = f"{len(above)} seed" + ("s" if len(above) > 1 else "")
    return Finding(
        claim,
        f"{text(above, 100, ' %')} against {text(below, 100, ' %')}, {seeds}",
        statistics.mean(above) > statistics.mean(below),
    )


def _of_common_seeds(found: dict, *names: str) -> list[list[float]]:
    """The accuracies of trainings from the same float networks, which differ by seed."""
    seeds = set.intersection(*(set(found[name]) for name in names))
    return [[found[name][seed] for seed in sorted(seeds)] for name in names]


def _figure(rows):
    figure, axes = plots.figure(size=(8, 6))
    ran = [row for row in rows if row["seeds"]]
    ran.sort(key=lambda row: row["accuracy"])
    for i, row in enumerate(ran):
        interval = row["interval"] if row["interval"] == row["interval"] else 0
        name = row["scheme"]
        kind = "gf" if name.endswith("gf") else "ls" if name.endswith("ls") else "other"
        color = "#444444" if name == FLOAT.name else plots.color(kind)
        axes.errorbar(
            100 * row["accuracy"], i, xerr=100 * interval, fmt="o", color=color, capsize=3
        )
    axes.set_yticks(range(len(ran)), [f"{row['scheme']} ({row['seeds']})" for row in ran])
    axes.set_xlabel("test accuracy (%), in brackets the seeds")
    axes.grid(axis="x", color="0.9")
    return figure
