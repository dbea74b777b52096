"""Scalars solved for each image at run time, against stored ones."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

import torch

import bquant

from ... import train
from .. import plots
from ..result import Finding, Result
from ..schemes import by_name

if TYPE_CHECKING:
    from ..study import Study

ROWS = ("1/1 ls", "2/1 ls", "T/1 ls", "2/1 gf")
CALLS = 200


def run(study: Study) -> Result:
    schemes = [by_name(name) for name in ROWS]
    study.train(schemes)
    rows, gaps = [], []
    for scheme in schemes:
        for seed in range(study.seeds(scheme)):
            stored = study.network(scheme, seed)
            online = study.setting.build(scheme, seed, study.data, scalars="online")
            online.load_state_dict(
                {k: v for k, v in stored.state_dict().items() if k in online.state_dict()}
            )
            accuracies = {}
            for kind, model in (("stored", stored), ("online", online.eval())):
                accuracies[kind] = train.accuracy(model, study.data, study.data.test)
            seconds = _times({"stored": stored, "online": online}, study.images(1))
            gaps.append(accuracies["online"] - accuracies["stored"])
            rows.append(
                {
                    "scheme": scheme.name,
                    "seed": seed,
                    "accuracy_stored": accuracies["stored"],
                    "accuracy_online": accuracies["online"],
                    "microseconds_stored": 1e6 * seconds["stored"],
                    "microseconds_online": 1e6 * seconds["online"],
                    "ratio": seconds["online"] / seconds["stored"],
                }
            )
    ratios = [row["ratio"] for row in rows]
    findings = [
        Finding(
            "stored running averages lose no accuracy against scalars of each image",
            f"online is better by {100 * min(gaps):+.2f} to {100 * max(gaps):+.2f} points",
            max(gaps) < 0.005,
        ),
        Finding(
            "stored scalars save the solver's time",
            f"online takes {min(ratios):.2f} to {max(ratios):.2f} times as long",
            min(ratios) > 1,
        ),
    ]
    return Result(
        "Online and stored scalars",
        "Networks trained with running averages, run with scalars solved for each image instead. "
        f"Times are medians of {CALLS} calls by turns, batch 1, one thread, compiled.",
        rows,
        _figure(rows),
        findings,
    )


def _times(models: dict, x: torch.Tensor) -> dict[str, float]:
    networks = {kind: bquant.compile(model, (x,)) for kind, model in models.items()}
    seconds = {kind: [] for kind in networks}
    for call in range(CALLS + 20):
        for kind, network in networks.items():
            start = time.perf_counter()
            network(x)
            if call >= 20:
                seconds[kind].append(time.perf_counter() - start)
    return {kind: statistics.median(values) for kind, values in seconds.items()}


def _figure(rows):
    figure, (left, right) = plots.figure(1, 2, size=(9, 4))
    names = list(dict.fromkeys(row["scheme"] for row in rows))
    for axes, key, scale, label in (
        (left, "accuracy", 100, "test accuracy (%)"),
        (right, "microseconds", 1, "µs an image"),
    ):
        for offset, kind in ((-0.2, "stored"), (0.2, "online")):
            means = [
                scale * statistics.mean(r[f"{key}_{kind}"] for r in rows if r["scheme"] == name)
                for name in names
            ]
            axes.bar([i + offset for i in range(len(names))], means, 0.4, label=kind)
        axes.set_xticks(range(len(names)), names)
        axes.set_ylabel(label)
    shown = [100 * row[f"accuracy_{kind}"] for row in rows for kind in ("stored", "online")]
    left.set_ylim(min(shown) - 3, max(shown) + 1)
    right.legend()
    return figure
