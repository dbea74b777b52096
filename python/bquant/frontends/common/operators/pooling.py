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

# Windows that have a divisor of their own.
MOST_COUNTED = 2**26


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
        out = c.shape[dims]
        sides = list(
            zip(x.shape[dims], out, kernel, stride, dilation, low, before, behind, strict=True)
        )
        if all(_are_whole(*side) for side in sides):
            divisor = math.prod(kernel)
        elif math.prod(out) > MOST_COUNTED:
            raise UnsupportedOp(
                f"expected at most {MOST_COUNTED} windows of which some are cut, "
                f"but got {math.prod(out)}"
            )
        else:
            counts = np.outer(*(_counts(*side) for side in sides)).astype(np.float32)
            shape = (1, 1, *out) if layout == "nchw" else (1, *out, 1)
            divisor = constant(counts.reshape(shape))
    return c.elementwise(lambda b, x, n: b("arith.divf", x, n), total, divisor)


def _are_whole(size, out, kernel, stride, dilation, low, before, behind) -> bool:
    """Whether all windows lie in the image with `before` and `behind` it."""
    end = (out - 1) * stride - low + dilation * (kernel - 1)
    return low <= before and end < size + behind


def _counts(size, out, kernel, stride, dilation, low, before, behind) -> np.ndarray:
    """How many elements of each window lie in the image with `before` and `behind` it."""
    start = np.arange(out) * stride - low
    # Elements before a place p: ceil((p - start) / dilation).
    ahead = np.clip(-((start + before) // dilation), 0, kernel)
    inside = np.clip(-((start - size - behind) // dilation), 0, kernel)
    return inside - ahead
