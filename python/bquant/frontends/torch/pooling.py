"""Poolings, reductions and norms."""

from __future__ import annotations

import math

from ..common.operators import places, pooling, reductions
from ..common.operators.context import Context, Node
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from .context import pair


@operator(torch=("aten.max_pool2d.default", "aten.max_pool2d_with_indices.default"))
def max_pool2d(c: Context, x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    kernel, padding = pair(kernel_size), pair(padding)
    stride, dilation = pair(stride or kernel), pair(dilation)
    return pooling.max_pool(c, x, kernel, stride, padding, padding, dilation)


@operator(torch="aten.avg_pool2d.default")
def avg_pool2d(
    c: Context, x, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True,
    divisor_override=None,
):  # fmt: skip
    kernel, padding = pair(kernel_size), pair(padding)
    windows = kernel, pair(stride or kernel), padding, padding, (1, 1)
    return pooling.average_pool(
        c, x, *windows, count_padding=count_include_pad, divisor=divisor_override
    )


@operator(torch=("aten.adaptive_avg_pool2d.default", "aten._adaptive_avg_pool2d.default"))
def adaptive_avg_pool2d(c: Context, x, output_size):
    if pair(output_size) == (1, 1):
        return reductions.mean(c, x, [-2, -1])
    return avg_pool2d(c, x, _kernel(x, output_size))


@operator(torch="aten.adaptive_max_pool2d.default")
def adaptive_max_pool2d(c: Context, x, output_size):
    """Of the two results the maxima."""
    return max_pool2d(c, x, _kernel(x, output_size))


def _kernel(x, output_size) -> list[int]:
    """The size of the windows of an adaptive pooling, all of one size."""
    (oh, ow), (height, width) = pair(output_size), x.shape[-2:]
    if height % oh or width % ow:
        raise UnsupportedOp(f"expected a size that divides {height} x {width}, but got {oh} x {ow}")
    return [height // oh, width // ow]


def _extreme(name: str, kind):
    @operator(torch=f"aten.{name}.dim", integers=True)
    def with_places(n: Node, x, dim, keepdim=False):
        return [reductions.reduce(n, x, [dim], kind), _arg(n, x, dim)]

    @operator(torch=f"aten.arg{name}.default", integers=True)
    def _arg(n: Node, x, dim=None, keepdim=False):
        if dim is None:
            x, dim = n.writer.reshape(n.value(x), [math.prod(x.shape)]), 0
        return places.extreme(n.context(n.shape, "i64"), x, dim, kind)


_extreme("max", reductions.MAXIMUM)
_extreme("min", reductions.MINIMUM)


@operator(torch="aten.native_layer_norm.default")
def layer_norm(c: Context, x, shape, weight, bias, eps):
    rank = len(x.shape)
    return reductions.layer_norm(c, x, list(range(rank - len(shape), rank)), weight, bias, eps)


@operator(torch="aten.native_group_norm.default")
def group_norm(c: Context, x, weight, bias, n, channels, size, groups, eps):
    return reductions.scale_channels(c, reductions.group_norm(c, x, groups, eps), weight, bias)


@operator(torch="aten._native_batch_norm_legit.no_stats")
def instance_norm(c: Context, x, weight, bias, training, momentum, eps):
    """Torch makes one sample of a batch for it: channels by their own statistics."""
    dims = [0, *range(2, len(x.shape))]
    x = reductions.layer_norm(c, x, dims, None, None, eps)
    return reductions.scale_channels(c, x, weight, bias)
