"""The paper's second table: one- and two-bit networks of others beside its own, on ImageNet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import plots, trainings
from ..result import Finding, Result
from ..schemes import Scheme, by_name
from ..statistics import mean_and_interval
from .training import mean_of, order

if TYPE_CHECKING:
    from ..study import Study


@dataclass(frozen=True)
class Line:
    """A line of the table: a system, and what was published of ResNet-18 on ImageNet.

    Args:
        scheme: the name of the row of `schemes.SCHEMES` that trains it here.
        activations, weights: bits, "T" for ternary.
        top1, top5: %; None: not known from a source at hand.
        source: where those stand.
    """

    system: str
    scheme: str
    activations: str
    weights: str
    top1: float | None = None
    top5: float | None = None
    source: str = ""


_AUTHORS = "README of apple/ml-quant"
_BI_REAL = "README of liuzechun/Bi-Real-net"
_LQ = "README of microsoft/LQ-Nets"
_OTHERS = "doc/result_cls.md of XiaotaoChen/model-quantization"  # what the papers report

LINES = (
    Line("BNN (Courbariaux and others 2016)", "BNN", "1", "1"),
    Line("XNOR-Net (Rastegari and others 2016)", "XNOR", "1", "1", 51.2, 73.4, _BI_REAL),
    Line("XNOR-Net++ (Bulat and Tzimiropoulos 2019)", "XNOR-Net++", "1", "1"),
    Line("Bi-Real Net (Liu and others 2018)", "Bi-Real", "1", "1", 56.4, 79.5, _BI_REAL),
    Line("ABC-Net (Lin and others 2017)", "ABC-Net 3/3", "3", "3"),
    Line("least squares, 1/1", "1/1 ls", "1", "1", 58.9, 81.4, _AUTHORS),
    Line("least squares, T/1", "T/1 ls", "T", "1", 62.0, 83.6, _AUTHORS),
    Line("DoReFa-Net (Zhou and others 2016)", "DoReFa 2/1", "2", "1"),
    Line("HWGQ-Net (Cai and others 2017)", "HWGQ 2/1", "2", "1"),
    Line("SYQ (Faraone and others 2018)", "SYQ 8/1", "8", "1"),
    Line("LQ-Nets (Zhang and others 2018)", "LQ-Net 2/1", "2", "1", 62.6, 84.3, _LQ),
    Line("least squares, 2/1", "2/1 ls", "2", "1", 63.4, 84.6, _AUTHORS),
    Line("PACT (Choi and others 2018)", "PACT 2/2", "2", "2"),
    Line("LSQ (Esser and others 2020)", "LSQ 2/2", "2", "2", 67.6, None, _OTHERS),
    Line("BWN (Rastegari and others 2016)", "BWN", "32", "1"),
    Line("TWN (Li and others 2016)", "TWN", "32", "T"),
    Line("TTQ (Zhu and others 2017)", "TTQ", "32", "T"),
)

BEST = "2/1 ls"
NEAR = 0.5  # points
_COLUMNS = (
    "system", "scheme", "activation_bits", "weight_bits", "published_top1", "published_top5",
    "source", "seeds", "accuracy", "interval", "top5", "compiled_accuracy",
)  # fmt: skip


def run(study: Study) -> Result:
    study.train(_wanted(study), 1)
    ended = trainings.rows(study.setting)
    rows, found = [], {}
    for line in LINES:
        own = [row for row in ended if row["scheme"] == line.scheme]
        row = {
            "system": line.system,
            "scheme": line.scheme,
            "activation_bits": line.activations,
            "weight_bits": line.weights,
            "published_top1": "" if line.top1 is None else line.top1,
            "published_top5": "" if line.top5 is None else line.top5,
            "source": line.source,
            "seeds": len(own),
            "accuracy": "not run",
        }
        if own:
            found[line.scheme] = {int(r["seed"]): float(r["accuracy"]) for r in own}
            mean, interval = mean_and_interval(list(found[line.scheme].values()))
            row |= {
                "accuracy": mean,
                "interval": interval,
                "top5": mean_of(own, "top5"),
                "compiled_accuracy": mean_of(own, "compiled_accuracy"),
            }
        rows.append({**dict.fromkeys(_COLUMNS, ""), **row})
    setting = study.setting
    is_papers = setting.of_paper and setting.data.startswith("imagenet:")
    return Result(
        "Beside the networks of others",
        f"Test accuracy after {setting.epochs} epochs on {study.data.name}, each system's "
        "quantizers in the same network and by the same recipe. Published figures, %, are of "
        "ResNet-18 on ImageNet, each by its own recipe, from the source that is named; those "
        "without one are left out.",
        rows,
        _figure(rows),
        [*_near(found, is_papers), *_orders(found)],
    )


def _wanted(study: Study) -> list[Scheme]:
    """With --fast only rows that `training` has."""
    wanted = [by_name(line.scheme) for line in LINES]
    return [s for s in wanted if s in study.schemes] if study.setting.fast else wanted


def _near(found: dict, is_papers: bool) -> list[Finding]:
    """Whether what is the paper's own comes out as there."""
    findings = []
    for line in LINES:
        if line.source != _AUTHORS:
            continue
        claim = f"{line.scheme} has {line.top1:.1f} % on ImageNet"
        if not is_papers or line.scheme not in found:
            why = f"{line.scheme} was not run" if is_papers else "other images, or another recipe"
            findings.append(Finding(claim, why, None))
            continue
        mean, _ = mean_and_interval([100 * a for a in found[line.scheme].values()])
        findings.append(Finding(claim, f"{mean:.2f} %", abs(mean - line.top1) <= NEAR))
    return findings


def _orders(found: dict) -> list[Finding]:
    """The paper's two bits with binary weights above all others of at most as many."""
    others = [
        line.scheme
        for line in LINES
        if line.activations in ("1", "T", "2") and line.weights == "1" and line.scheme != BEST
    ]
    return [order(found, BEST, other) for other in others]


def _figure(rows):
    figure, axes = plots.figure(size=(8, 6))
    for i, row in enumerate(rows):
        if row["published_top1"] != "":
            axes.plot(row["published_top1"], i, "x", color="#444444")
        if row["seeds"]:
            axes.plot(100 * row["accuracy"], i, "o", color=plots.color("ls"))
    axes.set_yticks(range(len(rows)), [row["system"] for row in rows])
    axes.set_xlabel("test accuracy (%): o here, x published, on ImageNet")
    axes.grid(axis="x", color="0.9")
    axes.invert_yaxis()
    return figure
