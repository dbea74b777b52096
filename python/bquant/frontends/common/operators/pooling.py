"""Windows over N x C x H x W, or with `layout` "nhwc" over N x H x W x C: a list for both
directions for each size, stride and padding."""

from __future__ import annotations

import math

import numpy as np

from ..mlir import windows
from ..shapes import TensorType, UnsupportedOp
from .context import Context, constant

# Where the image's dimensions are.
IMAGE = {"nchw": slice(2, 4), "nhwc": slice(1, 3)}


def _pool(c: Context, kind: str, layout: str, x, kernel, stride, low, dilation, fill: float):
    """The result type says how many windows there are, and so how much of the padding behind it
    takes."""
    w = c.writer
    if len(x.shape) != 4:
        raise UnsupportedOp(f"expected four dimensions, but got {len(x.shape)}")
    dims = IMAGE[layout]
    high = [
        max(0, (out - 1) * s + d * (k - 1) + 1 - size - p)
        for size, out, k, s, p, d in zip(
            x.shape[dims], c.shape[dims], kernel, stride, low, dilation, strict=True
        )
    ]
    if layout == "nchw":
        image = w.pad(c.value(x), [0, 0, *low], [0, 0, *high], fill)
    else:
        image = w.pad(c.value(x), [0, *low, 0], [0, *high, 0], fill)
    operands, init = [image, w.empty(TensorType(tuple(kernel)))], w.fill(fill, c.type)
    return w.structured(f"pooling_{layout}_{kind}", operands, init, windows(stride, dilation))


def max_pool(c: Context, x, kernel, stride, low, high, dilation, layout="nchw"):
    return _pool(c, "max", layout, x, kernel, stride, low, dilation, float("-inf"))


def average_pool(
    c: Context,
    x,
    kernel,
    stride,
    low,
    high,
    dilation,
    count_padding=True,
    divisor=None,
    layout="nchw",
):
    """A window counts what it has of the image and, with `count_padding`, of the padding; what lies
    behind both counts nothing. `divisor` is used for all windows instead."""
    total = _pool(c, "sum", layout, x, kernel, stride, low, dilation, 0.0)
    if divisor is None:
        dims = IMAGE[layout]
        before, behind = (low, high) if count_padding else ([0, 0], [0, 0])
        rows, columns = (
            _counts(size, out, k, s, d, p, b, e)
            for size, out, k, s, d, p, b, e in zip(
                x.shape[dims],
                c.shape[dims],
                kernel,
                stride,
                dilation,
                low,
                before,
                behind,
                strict=True,
            )
        )
        counts = np.outer(rows, columns).astype(np.float32)
        uniform = (counts == math.prod(kernel)).all()
        shape = (1, 1, *counts.shape) if layout == "nchw" else (1, *counts.shape, 1)
        divisor = math.prod(kernel) if uniform else constant(counts.reshape(shape))
    return c.elementwise(lambda b, x, n: b("arith.divf", x, n), total, divisor)


def _counts(size, out, kernel, stride, dilation, low, before, behind) -> np.ndarray:
    """How many elements of each window lie in the image with `before` and `behind` it."""
    at = np.arange(out)[:, None] * stride - low + dilation * np.arange(kernel)
    return ((at >= -before) & (at < size + behind)).sum(1)
