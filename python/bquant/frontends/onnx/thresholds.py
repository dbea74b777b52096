"""MultiThreshold of QONNX, as FINN's conversions leave it: how many thresholds t of a channel have
t <= x, times `out_scale`, plus `out_bias`.

Up to 16 levels are written as that sum of comparisons, which raising knows for a quantization
wherever it is scaled, pooled, reshaped or added to another one on its way to a product. More are
written as a quantization by rank among the thresholds, which only a product that follows at once
reads in codes.

After https://github.com/fastmachinelearning/qonnx, custom_op/general/multithreshold.py.
"""

from __future__ import annotations

import numpy as np

from ..common.operators import quantize as emit
from ..common.operators.context import array
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from .context import Node

# Thresholds that are compared with one by one, and those of eight planes.
MOST_COMPARED, MOST = 15, 255

# The layout of a rank that has none written.
LAYOUTS = {2: "NC", 3: "NWC", 4: "NCHW"}


@operator(onnx="MultiThreshold")
def multi_threshold(n: Node, x, table):
    thresholds, axis = _thresholds(n, x, table), _channels(n, x)
    scale, bias = n.get("out_scale", 1.0), n.get("out_bias", 0.0)
    if not np.isfinite([scale, bias]).all() or scale == 0:
        raise UnsupportedOp(
            f"expected a finite out_scale other than 0 and a finite out_bias, but got {scale} and "
            f"{bias}"
        )
    if thresholds.shape[-1] <= MOST_COMPARED:
        return _compare(n, x, thresholds, axis, scale, bias)
    return _quantize(n, x, thresholds, axis, scale, bias)


def _compare(n: Node, x, thresholds, axis: int, scale: float, bias: float):
    limits = [
        float(t) if t.ndim == 0 else n.channels(np.ascontiguousarray(t), axis)
        for t in np.moveaxis(thresholds, -1, 0)
    ]

    def build(b, x, first, *others):
        count = b.to_number(b.compare("oge", x, first))
        for limit in others:
            count = b("add", count, b.to_number(b.compare("oge", x, limit)))
        if scale != 1:
            count = b("mul", count, b.number(scale))
        return b("add", count, b.number(bias)) if bias else count

    return n.elementwise(build, x, *limits)


def _quantize(n: Node, x, thresholds, axis: int, scale: float, bias: float):
    """Codes fall as ranks rise where the scale is below 0."""
    codes = list(range(thresholds.shape[-1] + 1))
    if scale < 0:
        bias, scale, codes = bias + scale * codes[-1], -scale, codes[::-1]
    w, last = n.writer, len(x.shape) - 1
    order = [i for i in range(last + 1) if i != axis] + [axis]
    moved = axis != last
    value = n.value(x)
    if moved:
        value = w.transpose(value, order)
    count = int(thresholds.shape[-1]).bit_length()
    offset = np.float32(bias + scale / 2 * (2**count - 1))
    ratios = [2**i for i in reversed(range(count))]
    scalars = np.float32([scale / 2])
    result = emit.by_thresholds(n, value, thresholds, codes, scalars, ratios, offset or None)
    return w.transpose(result, np.argsort(order).tolist()) if moved else result


def _thresholds(n: Node, x, table) -> np.ndarray:
    """Of all channels, or of each, ascending."""
    thresholds = np.float32(array(table, "thresholds"))
    if thresholds.ndim != 2 or not 1 <= thresholds.shape[1] <= MOST:
        raise UnsupportedOp(
            f"expected 1 to {MOST} thresholds of each channel, but got a table of "
            f"{thresholds.shape}"
        )
    channels = x.shape[_channels(n, x)]
    if thresholds.shape[0] not in (1, channels):
        raise ValueError(
            f"expected thresholds of 1 or {channels} channels, but got {thresholds.shape[0]}"
        )
    thresholds = np.sort(thresholds, axis=-1)
    return thresholds[0] if thresholds.shape[0] == 1 else thresholds


def _channels(n: Node, x) -> int:
    rank = len(x.shape)
    layout = n.get("data_layout", "") or LAYOUTS.get(rank, "")
    if layout and (len(layout) != rank or layout.count("C") > 1):
        raise ValueError(f"expected a data_layout of {rank} letters, but got '{layout}'")
    axis = layout.index("C") if "C" in layout else 1
    if axis >= rank:
        raise UnsupportedOp(f"expected a dimension of channels, but got rank {rank}")
    return axis
