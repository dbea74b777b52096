"""How far is a quantized activation from the activation?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import bquant
from bquant.nn import paper_clamp

from .. import layers, plots
from ..result import Finding, Result
from ..statistics import mean_and_interval

if TYPE_CHECKING:
    from ..study import Study

IMAGES, FAST_IMAGES = 128, 32
SCHEMES = (
    "ls-1", "ls-2", "ls-T", "ls-3", "ls-4", "gf-1", "gf-2", "gf-3", "gf-4", "twn",
    "dorefa-2", "hwgq-2", "lloyd-1", "lloyd-2", "lloyd-3", "lloyd-4",
)  # fmt: skip


def run(study: Study) -> Result:
    images = min(FAST_IMAGES if study.setting.fast else IMAGES, len(study.data.test))
    rows = []
    angles: dict[str, dict[str, np.ndarray]] = {}
    for name, x in layers.inputs(study.network(), study.images(images)).items():
        angles[layers.short(name)] = at = {}
        for scheme in SCHEMES:
            clamp = paper_clamp(scheme.replace("lloyd", "ls"))
            at[scheme] = bquant.quantize(np.clip(x, -clamp, clamp), scheme, axis=0).angles
            mean, interval = mean_and_interval(at[scheme])
            rows.append(
                {"layer": layers.short(name), "scheme": scheme, "images": images,
                 "angle": mean, "interval": interval}
            )  # fmt: skip

    def below(better: str, worse: str) -> tuple[int, float]:
        """In how many layers one mean is below the other, and the least difference."""
        gaps = [at[worse].mean() - at[better].mean() for at in angles.values()]
        return sum(gap > 0 for gap in gaps), float(min(gaps))

    findings = []
    for better, worse in (("ls-2", "gf-2"), ("ls-2", "ls-T"), ("ls-T", "ls-1"), ("ls-T", "twn")):
        count, least = below(better, worse)
        findings.append(
            Finding(
                f"the angle of {better} is less than that of {worse} in every layer",
                f"in {count} of {len(angles)}, by at least {least:.2f}°",
                count == len(angles),
            )
        )
    findings += _spread(angles)
    return Result(
        "The angle between activations and their quantization",
        f"Means of {images} test images, each with scalars of its own, with 95 % intervals; "
        "inputs of the layers of the float network, clamped as the paper does for the scheme. "
        "lloyd-k is the bound: the best 2^k levels of any kind, clamped as for k planes.",
        rows,
        _figure(angles),
        findings,
    )


def _spread(angles: dict[str, dict[str, np.ndarray]]) -> list[Finding]:
    """How much angles vary over images and layers, and what two more greedy bits bring at last."""
    deviations = {s: [float(at[s].std(ddof=1)) for at in angles.values()] for s in ("ls-2", "gf-2")}
    means = {s: [float(at[s].mean()) for at in angles.values()] for s in ("ls-2", "gf-2", "gf-4")}
    less = sum(a < b for a, b in zip(deviations["ls-2"], deviations["gf-2"], strict=True))
    optimal, greedy = (max(means[s]) - min(means[s]) for s in ("ls-2", "gf-2"))
    late = max(1, len(angles) // 4)
    last = {s: means[s][-late:] for s in ("ls-2", "gf-4")}
    below = sum(a < b for a, b in zip(last["ls-2"], last["gf-4"], strict=True))
    shown = {s: f"{min(last[s]):.1f} to {max(last[s]):.1f}°" for s in last}
    return [
        Finding(
            "the angle of ls-2 varies less over images than that of gf-2",
            f"a standard deviation of {np.mean(deviations['ls-2']):.2f}° against "
            f"{np.mean(deviations['gf-2']):.2f}° on average, less in {less} of {len(angles)}",
            less == len(angles),
        ),
        Finding(
            "the angle of ls-2 varies less over layers than that of gf-2",
            f"means span {optimal:.1f}° against {greedy:.1f}°",
            optimal < greedy,
        ),
        Finding(
            "the angle of ls-2 is less than that of gf-4 in later layers",
            f"in {below} of the last {late}: {shown['ls-2']} against {shown['gf-4']}",
            below == late,
        ),
    ]


def _figure(angles):
    figure, axes = plots.figure(size=(9, 5))
    names = list(angles)
    for scheme in SCHEMES:
        values = [mean_and_interval(angles[name][scheme]) for name in names]
        means, intervals = np.array(values).T
        style = {"1": ":", "2": "-", "T": "--", "3": "-.", "4": (0, (1, 3))}[
            scheme[-1] if scheme != "twn" else "T"
        ]
        axes.errorbar(
            range(len(names)), means, intervals, color=plots.color(scheme), ls=style, lw=1.2,
            capsize=2, label=scheme,
        )  # fmt: skip
    axes.set_xticks(range(len(names)), names, rotation=60, fontsize=7)
    axes.set_ylabel("angle (degrees)")
    axes.set_ylim(0)
    axes.set_xlabel("layer")
    figure.legend(fontsize=8, loc="outside right upper")
    return figure
