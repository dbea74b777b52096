"""Poolings, reductions and norms of ONNX."""

from __future__ import annotations

from ..common.operators import elementwise, pooling, reductions
from ..common.shapes import TensorType, UnsupportedOp
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
    @lowering(name, integers=True, codes=kind in (reductions.MAXIMUM, reductions.MINIMUM))
    def lower(n: Node, x, axes=None):
        return reductions.reduce(n.c, x, _axes(n, x, axes), kind)


for _name, _kind in {
    "ReduceProd": reductions.PRODUCT,
    "ReduceMax": reductions.MAXIMUM,
    "ReduceMin": reductions.MINIMUM,
    "ReduceSum": reductions.SUM,
}.items():
    _reduction(_name, _kind)


@lowering("ReduceL1")
def reduce_l1(n: Node, x, axes=None):
    sizes = elementwise.unary(n.context(TensorType(x.shape)), "math.absf", x)
    return reductions.reduce(n.c, sizes, _axes(n, x, axes), reductions.SUM)


@lowering("ReduceSumSquare")
def reduce_sum_square(n: Node, x, axes=None):
    squares = elementwise.square(n.context(TensorType(x.shape)), x)
    return reductions.reduce(n.c, squares, _axes(n, x, axes), reductions.SUM)


@lowering("ReduceL2")
def reduce_l2(n: Node, x, axes=None):
    return elementwise.unary(n.c, "math.sqrt", reduce_sum_square(n, x, axes))


@lowering("ReduceLogSum")
def reduce_log_sum(n: Node, x, axes=None):
    total = reductions.reduce(n.c, x, _axes(n, x, axes), reductions.SUM)
    return elementwise.unary(n.c, "math.log", total)


@lowering("ReduceLogSumExp")
def reduce_log_sum_exp(n: Node, x, axes=None):
    return reductions.log_sum_exp(n.c, x, _axes(n, x, axes))


@lowering("ReduceMean")
def reduce_mean(n: Node, x, axes=None):
    return reductions.mean(n.c, x, _axes(n, x, axes))


@lowering("Softmax")
def softmax(n: Node, x):
    return reductions.softmax(n.c, x, n.get("axis", -1))


@lowering("LogSoftmax")
def log_softmax(n: Node, x):
    return reductions.log_softmax(n.c, x, n.get("axis", -1))


def _spread(n: Node, value, scale, bias, groups: int):
    """Scale and bias of each channel, or of each group of channels."""
    channels = n.c.shape[1]
    for op, operand in (("arith.mulf", scale), ("arith.addf", bias)):
        if operand.size != channels:
            each = TensorType((groups, channels // groups))
            column = n.writer.reshape(n.c.value(operand), (groups, 1))
            column = elementwise.expand(n.context(each), column)
            operand = n.writer.reshape(column, (1, channels, *[1] * (len(n.c.shape) - 2)))
        else:
            operand = n.c.channels(operand, 1)
        value = elementwise.binary(n.c, op, value, operand)
    return value


@lowering("InstanceNormalization")
def instance_norm(n: Node, x, scale, bias):
    """Each channel by its own statistics."""
    dims, epsilon = range(2, len(x.shape)), n.get("epsilon", 1e-5)
    return _spread(n, reductions.layer_norm(n.c, x, dims, None, None, epsilon), scale, bias, 1)


@lowering("GroupNormalization")
def group_norm(n: Node, x, scale, bias):
    """Each group of channels by its own statistics."""
    groups, epsilon = n.get("num_groups"), n.get("epsilon", 1e-5)
    split = (x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])
    c, value = n.context(TensorType(split)), n.writer.reshape(n.c.value(x), split)
    value = reductions.layer_norm(c, value, range(2, len(split)), None, None, epsilon)
    return _spread(n, n.writer.reshape(value, x.shape), scale, bias, groups)


@lowering("LayerNormalization")
def layer_norm(n: Node, x, scale, bias=None):
    if any(n.types[1:]):
        raise UnsupportedOp("expected the first result only, but mean or deviation are used")
    rank = len(x.shape)
    axes = range(n.get("axis", -1) % rank, rank)
    return reductions.layer_norm(n.c, x, axes, scale, bias, n.get("epsilon", 1e-5))
