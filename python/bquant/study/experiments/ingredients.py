"""What takes XNOR-Net to the paper's binary network? One ingredient at a time, then all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ... import nn
from .. import plots, trainings
from ..result import Finding, Result
from ..schemes import Scheme
from ..statistics import mean_and_interval

if TYPE_CHECKING:
    from ..study import Study

BASE = "XNOR-Net"
TEACHER = "a teacher"


@dataclass(frozen=True)
class Ingredient:
    """options, clamp: of the network with it."""

    name: str
    options: tuple[tuple[str, Any], ...] = ()
    clamp: str | None = None


def _ingredients(model: str) -> list[Ingredient]:
    double = [Ingredient("double shortcuts", (("block", "xnor"),))] if model == "resnet" else []
    return [
        *double,
        Ingredient("PReLU", (("nonlinearity", "prelu"),)),
        Ingredient("a clip", clamp="paper"),
        Ingredient(TEACHER),
    ]


def _scheme(name: str, model: str, used: list[Ingredient], conv) -> Scheme:
    options = {"nonlinearity": "relu"}
    if model == "resnet":
        options["block"] = "single-shortcut"
    for ingredient in used:
        options |= dict(ingredient.options)
    clamp = next((i.clamp for i in used if i.clamp), None)
    return Scheme(name, "ls-1", "ls-1", conv=conv, clamp=clamp, options=tuple(options.items()))


def run(study: Study) -> Result:
    model = study.setting.model
    ingredients = _ingredients(model)
    cases = [(BASE, [], nn.XnorConv2d)]
    cases += [(f"with {i.name}", [i], nn.XnorConv2d) for i in ingredients]
    cases.append(("with all", ingredients, nn.XnorConv2d))
    cases.append(("with all, one scalar", ingredients, nn.BinaryConv2d))
    rows = []
    for name, used, conv in cases:
        scheme = _scheme(name, model, used, conv)
        has_teacher = any(i.name == TEACHER for i in used)
        setting = study.setting.of_students(start="random" if has_teacher else "scratch")
        study.train([scheme], 1, setting)
        ended = trainings.accuracies(setting, scheme)
        seeds = study.seeds(scheme, 1)
        accuracy, interval = mean_and_interval([ended[seed] for seed in range(seeds)])
        gain = 100 * (accuracy - rows[0]["accuracy"]) if rows else 0.0
        rows.append(
            {"network": name, "seeds": seeds, "accuracy": accuracy, "interval": interval,
             "points": gain}
        )  # fmt: skip
    return Result(
        "From XNOR-Net to the paper's binary network",
        f"Test accuracy after {study.setting.epochs} epochs from random weights, signs by signs. "
        "XNOR-Net has its K map, one shortcut round two convolutions, ReLU, and learns from labels "
        "alone; the paper's network has one scalar a layer in place of the map. Points are those "
        "above XNOR-Net.",
        rows,
        _figure(rows),
        _findings(rows),
    )


def _findings(rows: list[dict]) -> list[Finding]:
    findings = [
        Finding(
            f"XNOR-Net gains {row['network']}",
            f"{row['points']:+.2f} points",
            row["points"] > 0,
        )
        for row in rows[1:-1]
    ]
    lost = rows[-1]["points"] - rows[-2]["points"]
    findings.append(Finding("one scalar is as good as the K map", f"{lost:+.2f} points", lost >= 0))
    return findings


def _figure(rows: list[dict]):
    figure, axes = plots.figure(size=(7, 3.5))
    axes.plot([100 * row["accuracy"] for row in rows], range(len(rows)), "o", color="#2f6f9f")
    axes.set_yticks(range(len(rows)), [row["network"] for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("test accuracy (%)")
    axes.grid(axis="x", color="0.9")
    return figure
