"""The demo's results as text, and the plots."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .compare import Comparison, Times
from .network import Variant


@dataclass
class Result:
    variant: Variant
    comparison: Comparison
    times: Times
    weight_bytes: int
    layers: list[dict]


def table(results: list[Result]) -> str:
    """A line for each network. It has no accuracies: 450 pictures cannot rank the bit widths."""
    head = (
        f"{'':8} {'equal':>8} {'weight':>8} {'µs a picture, 1 thread':^30}\n"
        f"{'act/wgt':8} {'predict.':>8} {'bytes':>8} {'PyTorch':>10} {'compiled':>9} {'ratio':>9}"
    )
    rows = [
        f"{r.variant.name:8} {r.comparison.equal:8.2%} {r.weight_bytes:8,} "
        f"{1e6 * r.times.torch:10.1f} {1e6 * r.times.compiled:9.1f} {r.times.ratio:8.1f}x"
        for r in results
    ]
    return "\n".join([head, *rows])


def plot_report(results: list[Result], path: Path) -> None:
    plot_layers({result.variant.name: result.layers for result in results}, path)


def plot_layers(networks: dict[str, list[dict]], path: Path) -> None:
    """What the report says of each product: its arithmetic, and the bytes its weights take."""
    plt = pyplot()
    count = sum(map(len, networks.values()))
    size = (8, max(3, 0.18 * count + 1.5))
    figure, axes = plt.subplots(figsize=size, constrained_layout=True)
    colors = {"float": "C3", "binary": "C0"}
    position, ticks, labels = 0, [], []
    for name, layers in networks.items():
        for layer in layers:
            axes.barh(position, layer["weight_bytes"], color=colors[layer["arithmetic"]])
            axes.annotate(
                f"{layer['arithmetic']} {layer['op']}: {layer['operands']}",
                (layer["weight_bytes"], position), xytext=(4, 0), textcoords="offset points",
                va="center", fontsize=6,
            )  # fmt: skip
            ticks.append(position)
            labels.append(f"{name}: {layer['location']}")
            position += 1
        position += 0.7
    axes.set_yticks(ticks, labels, fontsize=6)
    axes.invert_yaxis()
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(low, 30 * high)  # room for what stands beside the longest bars
    axes.set_xlabel("bytes of weights")
    axes.set_title("what became of each product, by the reports (red: float)")
    figure.savefig(path, dpi=150)
    plt.close(figure)


def pyplot():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot
