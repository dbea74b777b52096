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
    head = (
        f"{'':8} {'test accuracy':^19} {'equal':>8} {'weight':>8} {'µs a picture, 1 thread':^30}\n"
        f"{'act/wgt':8} {'PyTorch':>9} {'compiled':>9} {'predict.':>8} {'bytes':>8} "
        f"{'PyTorch':>10} {'compiled':>9} {'ratio':>9}"
    )
    rows = [
        f"{r.variant.name:8} {r.comparison.torch_accuracy:9.2%} "
        f"{r.comparison.compiled_accuracy:9.2%} {r.comparison.equal:8.2%} {r.weight_bytes:8,} "
        f"{1e6 * r.times.torch:10.1f} {1e6 * r.times.compiled:9.1f} {r.times.ratio:8.1f}x"
        for r in results
    ]
    return "\n".join([head, *rows])


def plot_accuracy(results: list[Result], path: Path) -> None:
    """Test accuracy against bits: those of an activation times those of a weight."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 4.5), constrained_layout=True)
    reference = next(r for r in results if r.variant.is_float)
    axes.axhline(100 * reference.comparison.torch_accuracy, color="0.6", linestyle="--")
    axes.annotate(
        "float", (0.99, 100 * reference.comparison.torch_accuracy), color="0.4",
        xycoords=("axes fraction", "data"), ha="right", va="bottom",
    )  # fmt: skip
    for result in results:
        variant = result.variant
        if variant.is_float:
            continue
        bits = variant.activation_bits * variant.weight_bits
        accuracy = 100 * result.comparison.compiled_accuracy
        greedy = variant.activations.startswith("gf")
        axes.plot(bits, accuracy, "s" if greedy else "o", color="C1" if greedy else "C0")
        axes.annotate(
            variant.name, (bits, accuracy), xytext=(-6, -12) if greedy else (6, 6),
            textcoords="offset points", ha="right" if greedy else "left",
        )  # fmt: skip
    axes.set_xlabel("bits of an activation × bits of a weight (ternary: log2 3)")
    axes.set_ylabel("test accuracy, compiled (%)")
    axes.set_title("scikit-learn digits, 450 held-out images")
    axes.margins(0.15, 0.2)
    figure.savefig(path, dpi=150)
    plt.close(figure)


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
