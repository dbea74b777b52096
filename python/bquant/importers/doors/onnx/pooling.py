"""Poolings, reductions and norms of ONNX."""

from __future__ import annotations

from ... import UnsupportedOp
from ...linalg import pooling, reductions
from ...shapes import TensorType
from .context import Node, lowering, numbers, padding


def _pool(n: Node, x, emitter, **options):
    """`emitter` over N x C x H x W, where N x C x W has a height of 1."""
    rank, w = len(x.shape), n.writer
    if rank not in (3, 4):
        raise UnsupportedOp(f"expected N x C x W or N x C x H x W, but got {rank} dimensions")
    kernel, ones = n.get("kernel_shape"), [1] * (rank - 2)
    stride, dilation = n.get("strides", ones), n.get("dilations", ones)
    size, out = x.shape[2:], list(n.c.shape[2:])
    low, high = padding(n, size, out, kernel, stride, dilation)
    if n.get("ceil_mode", 0):
        # Onnx' inference counts windows that begin behind the image, runtimes do not.
        out = [
            o - ((o - 1) * s >= i + p) for o, s, i, p in zip(out, stride, size, low, strict=True)
        ]
    shape = (*x.shape[:2], *out)
    if rank == 4:
        return emitter(
            n.context(TensorType(shape)), x, kernel, stride, low, high, dilation, **options
        )
    image = w.reshape(n.c.value(x), (*x.shape[:2], 1, *size))
    c = n.context(TensorType((*x.shape[:2], 1, *out)))
    windows = [1, *kernel], [1, *stride], [0, *low], [0, *high], [1, *dilation]
    return w.reshape(emitter(c, image, *windows, **options), shape)


@lowering("MaxPool", moves=True)
def max_pool(n: Node, x):
    if len(n.types) > 1 and n.types[1]:
        raise UnsupportedOp("expected the first result only, but the indices are used")
    return _pool(n, x, pooling.max_pool)


@lowering("AveragePool")
def average_pool(n: Node, x):
    count_padding = bool(n.get("count_include_pad", 0))
    return _pool(n, x, pooling.average_pool, count_padding=count_padding)


@lowering("GlobalAveragePool")
def global_average_pool(n: Node, x):
    return reductions.mean(n.c, x, range(2, len(x.shape)))


@lowering("GlobalMaxPool")
def global_max_pool(n: Node, x):
    return reductions.reduce(n.c, x, range(2, len(x.shape)), reductions.MAXIMUM)


def _axes(n: Node, x, axes):
    """What is reduced; None is everything, an empty list nothing."""
    axes = n.get("axes") if axes is None else numbers(axes, "axes")
    if axes:
        return axes
    return [] if n.get("noop_with_empty_axes", 0) else range(len(x.shape))


def _reduction(name: str, kind):
    @lowering(name, integers=True)
    def lower(n: Node, x, axes=None):
        return reductions.reduce(n.c, x, _axes(n, x, axes), kind)


for _name, _kind in {
    "ReduceProd": reductions.PRODUCT,
    "ReduceMax": reductions.MAXIMUM,
    "ReduceMin": reductions.MINIMUM,
    "ReduceSum": reductions.SUM,
}.items():
    _reduction(_name, _kind)


@lowering("ReduceMean")
def reduce_mean(n: Node, x, axes=None):
    return reductions.mean(n.c, x, _axes(n, x, axes))


@lowering("Softmax")
def softmax(n: Node, x):
    return reductions.softmax(n.c, x, n.get("axis", -1))


@lowering("LogSoftmax")
def log_softmax(n: Node, x):
    return reductions.log_softmax(n.c, x, n.get("axis", -1))


@lowering("LayerNormalization")
def layer_norm(n: Node, x, scale, bias=None):
    if any(n.types[1:]):
        raise UnsupportedOp("expected the first result only, but mean or deviation are used")
    rank = len(x.shape)
    axes = range(n.get("axis", -1) % rank, rank)
    return reductions.layer_norm(n.c, x, axes, scale, bias, n.get("epsilon", 1e-5))
