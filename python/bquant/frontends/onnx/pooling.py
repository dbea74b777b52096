"""Poolings, reductions and norms of ONNX."""

from __future__ import annotations

from ..common.operators import elementwise, pooling, reductions
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from .context import Node, padding


def _windows(n: Node, x):
    """Kernel, strides, padding before and behind, dilations, and the shape of the result."""
    rank = len(x.shape)
    if rank not in (3, 4):
        raise UnsupportedOp(f"expected N x C x W or N x C x H x W, but got {rank} dimensions")
    kernel, ones = n.get("kernel_shape"), [1] * (rank - 2)
    stride, dilation = n.get("strides", ones), n.get("dilations", ones)
    size, out = x.shape[2:], list(n.shape[2:])
    low, high = padding(n, size, out, kernel, stride, dilation)
    if n.get("ceil_mode", 0):
        # Onnx' inference counts windows that begin after the image; runtimes do not.
        out = [
            o - ((o - 1) * s >= i + p) for o, s, i, p in zip(out, stride, size, low, strict=True)
        ]
    return (kernel, stride, low, high, dilation), (*x.shape[:2], *out)


def pooled_shape(n: Node, x) -> tuple:
    return _windows(n, x)[1]


def _pool(n: Node, x, emitter, **options):
    """`emitter` over N x C x H x W, where N x C x W has a height of 1."""
    windows, shape = _windows(n, x)
    if len(shape) == 4:
        return emitter(n.context(shape, n.type.element), x, *windows, **options)
    w, (kernel, stride, low, high, dilation) = n.writer, windows
    image = w.reshape(n.value(x), (*x.shape[:2], 1, x.shape[2]))
    c = n.context((*shape[:2], 1, shape[2]), n.type.element)
    flat = [1, *kernel], [1, *stride], [0, *low], [0, *high], [1, *dilation]
    return w.reshape(emitter(c, image, *flat, **options), shape)


@operator(onnx="MaxPool", moves=True)
def max_pool(n: Node, x):
    if n.others:
        raise UnsupportedOp("expected the first result only, but the indices are used")
    return _pool(n, x, pooling.max_pool)


@operator(onnx="AveragePool")
def average_pool(n: Node, x):
    count_padding = bool(n.get("count_include_pad", 0))
    return _pool(n, x, pooling.average_pool, count_padding=count_padding)


@operator(onnx="GlobalAveragePool")
def global_average_pool(n: Node, x):
    return reductions.mean(n, x, range(2, len(x.shape)))


@operator(onnx="GlobalMaxPool")
def global_max_pool(n: Node, x):
    return reductions.reduce(n, x, range(2, len(x.shape)), reductions.MAXIMUM)


def _spread(n: Node, value, scale, bias, groups: int):
    """By a scale and a bias of each channel, or of each group of channels."""
    channels = n.shape[1]

    def each(operand):
        if operand.size == channels:
            return operand
        column = n.writer.reshape(n.value(operand), (groups, 1))
        return elementwise.expand(n.context((groups, channels // groups)), column)

    return reductions.scale_channels(n, value, each(scale), each(bias))


@operator(onnx="InstanceNormalization")
def instance_norm(n: Node, x, scale, bias):
    """Each channel by its own statistics."""
    dims, epsilon = range(2, len(x.shape)), n.get("epsilon", 1e-5)
    return _spread(n, reductions.layer_norm(n, x, dims, None, None, epsilon), scale, bias, 1)


@operator(onnx="GroupNormalization")
def group_norm(n: Node, x, scale, bias):
    """Each group of channels by its own statistics."""
    groups = n.get("num_groups")
    value = reductions.group_norm(n, x, groups, n.get("epsilon", 1e-5))
    return _spread(n, value, scale, bias, groups)


@operator(onnx="LayerNormalization")
def layer_norm(n: Node, x, scale, bias=None):
    if n.others:
        raise UnsupportedOp("expected the first result only, but mean or deviation are used")
    rank = len(x.shape)
    axes = range(n.get("axis", -1) % rank, rank)
    return reductions.layer_norm(n, x, axes, scale, bias, n.get("epsilon", 1e-5))
