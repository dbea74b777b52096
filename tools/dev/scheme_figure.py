"""`./dev docs`: docs/schemes.svg, what the schemes do to N(0, 1)."""

from pathlib import Path

import bquant
import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

FILE = Path(__file__).resolve().parents[2] / "docs" / "schemes.svg"
STAIRS = {"ls-1": "#9ec5e0", "ls-T": "#6f9a57", "gf-2": "#c9772b", "ls-2": "#2f6f9f"}
KINDS = {"ls": "#2f6f9f", "gf": "#c9772b"}


def write() -> None:
    x = np.random.default_rng(0).standard_normal(1 << 18).astype(np.float32)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.8), constrained_layout=True)
    # Many values to solve from, few to draw.
    line = np.linspace(-3, 3, 1201, dtype=np.float32)
    for scheme, color in STAIRS.items():
        scalars = bquant.quantize(x, scheme).scalars
        given = "given-T" if scheme == "ls-T" else "given"
        left.plot(line, bquant.quantize(line, given, scalars=scalars).dequantize(), color=color,
                  label=scheme)  # fmt: skip
    left.plot(line, line, color="0.8", lw=0.8, zorder=0)
    left.set_xlabel("x")
    left.set_ylabel("quantized x")
    left.legend()
    planes = range(1, 7)
    for kind, color in KINDS.items():
        angles = [bquant.quantize(x, f"{kind}-{k}").angle for k in planes]
        right.semilogy(planes, angles, "o-", color=color, label=f"{kind}-k")
    bits = np.log2(3)
    for scheme, color in (("ls-T", "#6f9a57"), ("twn", "#a3688f")):
        right.semilogy(bits, bquant.quantize(x, scheme).angle, "s", color=color, label=scheme)
    right.set_xlabel("bits of a value")
    right.set_ylabel("angle between x and quantized x (degrees)")
    right.legend()
    # The same bytes from the same numbers.
    with matplotlib.rc_context({"svg.hashsalt": "schemes", "svg.fonttype": "none"}):
        figure.savefig(FILE, metadata={"Date": None, "Creator": None})
    plt.close(figure)
