"""Windows over N x C x H x W: a list for both directions for each size, stride and padding."""

from __future__ import annotations

import math

import numpy as np

from ..shapes import TensorType, UnsupportedOp
from .context import Context, constant


def _pool(c: Context, name: str, x, kernel, stride, low, dilation, fill: float):
    """The result type says how many windows there are, and so how much of the padding behind it
    takes."""
    w = c.writer
    if len(x.shape) != 4:
        raise UnsupportedOp(f"expected N x C x H x W, but got {len(x.shape)} dimensions")
    high = [
        max(0, (out - 1) * s + d * (k - 1) + 1 - size - p)
        for size, out, k, s, p, d in zip(
            x.shape[2:], c.shape[2:], kernel, stride, low, dilation, strict=True
        )
    ]
    image = w.pad(c.value(x), [0, 0, *low], [0, 0, *high], fill)
    window = w.empty(TensorType(tuple(kernel)))
    init = w.fill(fill, c.type)
    return w.op(
        f"linalg.{name} {{dilations = dense<{list(dilation)}> : tensor<2xi64>, "
        f"strides = dense<{list(stride)}> : tensor<2xi64>}} "
        f"ins({image.name}, {window.name} : {image.type}, {window.type}) "
        f"outs({init.name} : {c.type}) -> {c.type}",
        c.type,
    )


def max_pool(c: Context, x, kernel, stride, low, high, dilation):
    return _pool(c, "pooling_nchw_max", x, kernel, stride, low, dilation, float("-inf"))


def average_pool(
    c: Context, x, kernel, stride, low, high, dilation, count_padding=True, divisor=None
):
    """A window counts what it has of the image and, with `count_padding`, of the padding; what lies
    behind both counts nothing. `divisor` is used for all windows instead."""
    total = _pool(c, "pooling_nchw_sum", x, kernel, stride, low, dilation, 0.0)
    if divisor is None:
        before, behind = (low, high) if count_padding else ([0, 0], [0, 0])
        rows, columns = (
            _counts(size, out, k, s, d, p, b, e)
            for size, out, k, s, d, p, b, e in zip(
                x.shape[2:], c.shape[2:], kernel, stride, dilation, low, before, behind, strict=True
            )
        )
        counts = np.outer(rows, columns).astype(np.float32)
        uniform = (counts == math.prod(kernel)).all()
        divisor = math.prod(kernel) if uniform else constant(counts.reshape(1, 1, *counts.shape))
    return c.elementwise(lambda b, x, n: b("arith.divf", x, n), total, divisor)


def _counts(size, out, kernel, stride, dilation, low, before, behind) -> np.ndarray:
    """How many elements of each window lie in the image with `before` and `behind` it."""
    at = np.arange(out)[:, None] * stride - low + dilation * np.arange(kernel)
    return ((at >= -before) & (at < size + behind)).sum(1)
