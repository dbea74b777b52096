"""Accuracy against bytes and against measured time."""

from __future__ import annotations

import dataclasses
import json
import math
import statistics
import time
from random import Random
from typing import TYPE_CHECKING

import torch

import bquant

from .. import plots, trainings
from ..peers import openvino_identity, openvino_int8
from ..result import Finding, Result
from ..schemes import FLOAT, by_name
from ..statistics import mean_and_interval

if TYPE_CHECKING:
    from ..setting import Setting
    from ..study import Study

ROWS = ("1/1 ls", "T/1 ls", "2/1 ls", "2/2 ls")
CALLS = 200


def run(study: Study) -> Result:
    schemes = [FLOAT, *map(by_name, ROWS)]
    settings = [dataclasses.replace(study.setting, width=w) for w in _widths(study.setting)]
    image = study.images(1)
    calls, rows = {}, []
    for setting in settings:
        study.train(schemes, 1, setting)
        for scheme in schemes:
            model = study.network(scheme, 0, setting)
            network = bquant.compile(model, (image,))
            flops = bquant.summary(model, image).equivalent_flops
            totals = json.loads(network.report("json"))["totals"]
            ended = trainings.accuracies(setting, scheme, "compiled_accuracy")
            seeds = study.seeds(scheme, 1)
            accuracy, interval = mean_and_interval([ended[seed] for seed in range(seeds)])
            rows.append(
                {
                    "network": scheme.name,
                    "width": setting.width,
                    "weight_bytes": totals["weight_bytes"],
                    "equivalent_flops": round(flops),
                    "seeds": seeds,
                    "accuracy": accuracy,
                    "interval": interval,
                }
            )
            calls[len(rows) - 1] = (network, image)
            if scheme.is_float and (peer := openvino_int8(model, study)) is not None:
                function, accuracy = peer
                rows.append(
                    {
                        "network": "OpenVINO int8",
                        "width": setting.width,
                        "weight_bytes": sum(p.numel() for p in model.parameters()),
                        "equivalent_flops": round(flops),
                        "seeds": 1,
                        "accuracy": accuracy,
                        "interval": math.nan,
                    }
                )
                calls[len(rows) - 1] = (function, image)
    seconds = _times(calls | _empty_calls())
    for i, row in enumerate(rows):
        row["microseconds"] = 1e6 * seconds[i]
        row["empty_call_microseconds"] = 1e6 * seconds[_engine(row)]
    return Result(
        "Accuracy against bytes and time",
        f"Networks of {len(settings)} widths; times are medians of {CALLS} calls by turns, batch "
        "1, one thread. An empty call is of a network that returns its input of four floats, by "
        "the same engine. Bytes are those of the weights; equivalent FLOPs are MACs, of which 64 "
        "binary ones count as one.",
        rows,
        _figure(rows),
        _findings(rows),
        [] if any(_engine(row) == "OpenVINO" for row in rows) else
        ["OpenVINO has no row: this environment lacks the packages openvino and nncf."],
    )  # fmt: skip


def _widths(setting: Setting) -> list[int]:
    """Four up to the setting's own, at equal distances; with --fast two."""
    quarters = (2, 4) if setting.fast else (1, 2, 3, 4)
    return sorted({max(setting.width * quarter // 4, 1) for quarter in quarters})


def _engine(row: dict) -> str:
    return "OpenVINO" if row["network"].startswith("OpenVINO") else "bquant"


def _empty_calls() -> dict:
    """What each engine takes for a call alone: a network that returns its input of four floats."""
    x = torch.zeros(1, 4)
    calls = {"bquant": (bquant.compile(torch.nn.Identity(), (x,)), x)}
    if (identity := openvino_identity(x)) is not None:
        calls["OpenVINO"] = (identity, x)
    return calls


def _times(calls: dict) -> dict:
    """The median seconds of each of the (function, input), called by turns. None always follows the
    same one, which leaves it the caches and the cores as they are."""
    seconds = {key: [] for key in calls}
    order, random = list(calls), Random(0)
    for call in range(CALLS + 20):
        random.shuffle(order)
        for key in order:
            function, x = calls[key]
            start = time.perf_counter()
            function(x)
            if call >= 20:
                seconds[key].append(time.perf_counter() - start)
    return {key: statistics.median(values) for key, values in seconds.items()}


def _findings(rows) -> list[Finding]:
    claim = "a wide network of few bits beats a narrow float one of more bytes"
    wide = max((r for r in rows if r["network"] == "2/1 ls"), key=lambda r: r["width"])
    floats = [r for r in rows if r["network"] == FLOAT.name]
    larger = [r for r in floats if r["weight_bytes"] > wide["weight_bytes"]]
    if not larger:
        found = f"no float network has more bytes than 2/1 ls of width {wide['width']}"
        return [Finding(claim, found, None)]
    narrow = min(larger, key=lambda r: r["weight_bytes"])
    share = wide["weight_bytes"] / narrow["weight_bytes"]
    found = (
        f"2/1 ls of width {wide['width']}: {wide['accuracy']:.2%} with {share:.2f} times the bytes "
        f"of the float one of width {narrow['width']}, {narrow['accuracy']:.2%}"
    )
    return [Finding(claim, found, wide["accuracy"] > narrow["accuracy"])]


def _figure(rows):
    figure, panels = plots.figure(1, 3, size=(15, 4.5))
    names = list(dict.fromkeys(row["network"] for row in rows))
    quantities = {
        "weight_bytes": "bytes of weights",
        "equivalent_flops": "equivalent FLOPs an image",
        "microseconds": "µs an image",
    }
    for axes, (key, label) in zip(panels, quantities.items(), strict=True):
        for i, name in enumerate(names):
            own = [row for row in rows if row["network"] == name]
            axes.plot(
                [row[key] for row in own], [100 * row["accuracy"] for row in own], "o-",
                color=plots.shade(i, len(names)), label=name,
            )  # fmt: skip
        axes.set_xscale("log")
        plots.log_axis(axes.xaxis)
        axes.grid(color="0.9")
        axes.set_xlabel(label)
        axes.set_ylabel("test accuracy (%)")
    panels[0].legend(loc="lower right", fontsize=8)
    return figure
