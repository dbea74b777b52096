"""Are the optimal scalars of two bits found as fast as the greedy ones?"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from bquant.nn import functional as F

from .. import layers, plots
from ..result import Finding, Result
from ..schemes import by_name

if TYPE_CHECKING:
    from ..study import Study

SCHEMES = ("ls-1", "ls-2", "ls-T", "gf-2")
STEPS = {"ls-2": "2/1 ls", "gf-2": "2/1 gf"}
STEP = "training step"
IMAGES, TURNS = 128, 15


def run(study: Study) -> Result:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        rows = _rows(study)
    finally:
        torch.set_num_threads(threads)
    *solved, step = rows
    ratios = [row["ratio"] for row in solved]
    means = [row["ls-1"] / row["gf-2"] for row in solved]
    findings = [
        Finding(
            "ls-2 is as fast to find as gf-2",
            f"its solver takes {min(ratios):.1f} to {max(ratios):.1f} times as long in a layer; "
            f"that of ls-1 {min(means):.2f} to {max(means):.2f} times",
            max(ratios) < 1.1,
        ),
        Finding(
            "a training step with ls-2 takes as long as one with gf-2",
            f"{step['ratio']:.2f} times as long",
            step["ratio"] < 1.1,
        ),
    ]
    return Result(
        "The time that solvers take",
        f"Milliseconds of one thread's own time, medians of {TURNS} calls by turns in one process: "
        f"scalars of the inputs of the float network's layers, within ±3, {step['images']} images "
        "as a whole, as training solves them; and a whole training step, weights ls-1.",
        rows,
        _figure(solved),
        findings,
    )


def _rows(study: Study) -> list[dict]:
    images = study.images(min(IMAGES, len(study.data.test)))
    rows = []
    for name, x in layers.inputs(study.network(), images).items():
        clamped = torch.from_numpy(x).clamp(-3, 3)
        calls = {s: lambda s=s, x=clamped: F.solve(x, s) for s in SCHEMES}
        row = _row(layers.short(name), calls, len(images), clamped.numel())
        rows.append(row)
    steps = {
        scheme: _step(study.setting.build(by_name(name), 0, study.data), images)
        for scheme, name in STEPS.items()
    }
    return [*rows, _row(STEP, steps, len(images), images.numel())]


def _step(model: torch.nn.Module, images: torch.Tensor) -> Callable[[], None]:
    optimizer = torch.optim.Adam(model.train().parameters())

    def step() -> None:
        optimizer.zero_grad()
        model(images).square().mean().backward()
        optimizer.step()

    return step


def _row(layer: str, calls: dict[str, Callable], images: int, values: int) -> dict:
    """Milliseconds of each call, and how often as long ls-2 takes as gf-2."""
    seconds: dict[str, list[float]] = {scheme: [] for scheme in calls}
    for turn in range(TURNS + 2):
        for scheme, call in calls.items():
            start = time.process_time()
            call()
            if turn >= 2:
                seconds[scheme].append(time.process_time() - start)
    times = {s: 1e3 * statistics.median(seconds[s]) if s in calls else "" for s in SCHEMES}
    ratio = times["ls-2"] / times["gf-2"]
    return {"layer": layer, "images": images, "values": values, **times, "ratio": ratio}


def _figure(rows):
    figure, axes = plots.figure(size=(9, 4.5))
    for scheme in SCHEMES:
        style = {"1": ":", "2": "-", "T": "--"}[scheme[-1]]
        per_value = [1e6 * row[scheme] / row["values"] for row in rows]
        axes.plot(range(len(rows)), per_value, style, color=plots.color(scheme), label=scheme)
    axes.set_xticks(range(len(rows)), [row["layer"] for row in rows], rotation=60, fontsize=7)
    axes.set_ylabel("ns a value")
    axes.set_ylim(0)
    axes.set_xlabel("layer")
    axes.legend()
    return figure
