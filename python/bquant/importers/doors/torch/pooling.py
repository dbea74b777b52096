"""Poolings and reductions."""

from __future__ import annotations

from ... import UnsupportedOp
from ...linalg import pooling, reductions
from ...linalg.context import Context
from .context import lowering, pair


@lowering("aten.max_pool2d.default", "aten.max_pool2d_with_indices.default")
def max_pool2d(c: Context, x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    kernel, padding = pair(kernel_size), pair(padding)
    stride, dilation = pair(stride or kernel), pair(dilation)
    return pooling.max_pool(c, x, kernel, stride, padding, padding, dilation)


@lowering("aten.avg_pool2d.default")
def avg_pool2d(
    c: Context, x, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True,
    divisor_override=None,
):  # fmt: skip
    kernel, padding = pair(kernel_size), pair(padding)
    windows = kernel, pair(stride or kernel), padding, padding, (1, 1)
    return pooling.average_pool(
        c, x, *windows, count_padding=count_include_pad, divisor=divisor_override
    )


@lowering("aten.adaptive_avg_pool2d.default")
def adaptive_avg_pool2d(c: Context, x, output_size):
    oh, ow = pair(output_size)
    height, width = x.shape[-2:]
    if (oh, ow) == (1, 1):
        return reductions.mean(c, x, [-2, -1])
    if height % oh or width % ow:
        raise UnsupportedOp(f"expected a size that divides {height} x {width}, but got {oh} x {ow}")
    return avg_pool2d(c, x, [height // oh, width // ow])


@lowering("aten.sum.dim_IntList")
def total(c: Context, x, dim, keepdim=False):
    return reductions.reduce(c, x, _dims(dim), reductions.SUM)


@lowering("aten.sum.default")
def total_of_all(c: Context, x):
    return total(c, x, None)


@lowering("aten.mean.dim")
def mean(c: Context, x, dim, keepdim=False):
    return reductions.mean(c, x, _dims(dim))


@lowering("aten.mean.default")
def mean_of_all(c: Context, x):
    return mean(c, x, None)


@lowering("aten.amax.default")
def amax(c: Context, x, dim=(), keepdim=False):
    return reductions.reduce(c, x, _dims(dim), reductions.MAXIMUM)


def _dims(dim):
    """No dimensions are all of them."""
    return [dim] if isinstance(dim, int) else dim or None


@lowering("aten.softmax.int", "aten._softmax.default")
def softmax(c: Context, x, dim, *_):
    return reductions.softmax(c, x, dim)


@lowering("aten.log_softmax.int", "aten._log_softmax.default")
def log_softmax(c: Context, x, dim, *_):
    return reductions.log_softmax(c, x, dim)
