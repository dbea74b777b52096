"""Poolings, reductions and norms."""

from __future__ import annotations

import math

from ..common.operators import elementwise, places, pooling, reductions
from ..common.operators.context import Context, positive
from ..common.shapes import TensorType, UnsupportedOp
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


@lowering("aten.adaptive_max_pool2d.default")
def adaptive_max_pool2d(c: Context, x, output_size):
    """Of the two results the maxima."""
    (oh, ow), (height, width) = pair(output_size), x.shape[-2:]
    if height % oh or width % ow:
        raise UnsupportedOp(f"expected a size that divides {height} x {width}, but got {oh} x {ow}")
    return max_pool2d(c, x, [height // oh, width // ow])


@lowering("aten.sum.dim_IntList", integers=True)
def total(c: Context, x, dim, keepdim=False, dtype=None):
    return reductions.reduce(c, x, _dims(dim), reductions.SUM)


@lowering("aten.sum.default", integers=True)
def total_of_all(c: Context, x, dtype=None):
    return total(c, x, None)


@lowering("aten.mean.dim")
def mean(c: Context, x, dim, keepdim=False, dtype=None):
    return reductions.mean(c, x, _dims(dim))


@lowering("aten.mean.default")
def mean_of_all(c: Context, x, dtype=None):
    return mean(c, x, None)


def _extreme(name: str, kind):
    @lowering(f"aten.a{name}.default", integers=True)
    def lower(c: Context, x, dim=(), keepdim=False):
        return reductions.reduce(c, x, _dims(dim), kind)

    @lowering(f"aten.{name}.default", integers=True)
    def of_all(c: Context, x):
        return reductions.reduce(c, x, None, kind)

    @lowering(f"aten.{name}.dim", integers=True)
    def with_places(c: Context, x, dim, keepdim=False):
        return [reductions.reduce(c, x, [dim], kind), _arg(c, x, dim, kind)]

    @lowering(f"aten.arg{name}.default", integers=True)
    def arg(c: Context, x, dim=None, keepdim=False):
        if dim is None:
            x, dim = c.writer.reshape(c.value(x), [math.prod(x.shape)]), 0
        return _arg(c, x, dim, kind)


def _arg(c: Context, x, dim: int, kind):
    value = c.value(x)
    if value.type.element == "i1":
        value = elementwise.to_number(Context(c.writer, TensorType(value.shape)), value)
    dim = positive(dim, len(value.shape))
    rest = TensorType(value.shape[:dim] + value.shape[dim + 1 :], value.type.element)
    most = reductions.reduce(Context(c.writer, rest), value, [dim], kind)
    return places.extreme(Context(c.writer, TensorType(c.shape, "i64")), value, dim, most)


_extreme("max", reductions.MAXIMUM)
_extreme("min", reductions.MINIMUM)


@lowering("aten.prod.dim_int", integers=True)
def prod(c: Context, x, dim, keepdim=False, dtype=None):
    return reductions.reduce(c, x, [dim], reductions.PRODUCT)


@lowering("aten.prod.default", integers=True)
def prod_of_all(c: Context, x, dtype=None):
    return reductions.reduce(c, x, None, reductions.PRODUCT)


@lowering("aten.any.dim", "aten.any.dims", "aten.any.default")
def any_(c: Context, x, dim=None, keepdim=False):
    return reductions.any_of(c, x, _dims(dim), all_=False)


@lowering("aten.all.dim", "aten.all.dims", "aten.all.default")
def all_(c: Context, x, dim=None, keepdim=False):
    return reductions.any_of(c, x, _dims(dim), all_=True)


@lowering("aten.var.correction")
def var(c: Context, x, dim=None, correction=1, keepdim=False):
    return reductions.variance(c, x, _dims(dim), 1 if correction is None else correction)


@lowering("aten.var_mean.correction")
def var_mean(c: Context, x, dim=None, correction=1, keepdim=False):
    return [var(c, x, dim, correction), reductions.mean(c, x, _dims(dim))]


@lowering("aten.std.correction")
def std(c: Context, x, dim=None, correction=1, keepdim=False):
    return elementwise.unary(c, "math.sqrt", var(c, x, dim, correction))


@lowering("aten.linalg_vector_norm.default")
def vector_norm(c: Context, x, ord=2, dim=None, keepdim=False, dtype=None):  # noqa: A002
    whole = Context(c.writer, TensorType(tuple(x.shape)))
    if ord == 2:
        total = reductions.reduce(c, elementwise.square(whole, x), _dims(dim), reductions.SUM)
        return elementwise.unary(c, "math.sqrt", total)
    if ord not in (1, float("inf")):
        raise UnsupportedOp(f"expected a norm of order 1, 2 or inf, but got {ord}")
    kind = reductions.SUM if ord == 1 else reductions.MAXIMUM
    return reductions.reduce(c, elementwise.unary(whole, "math.absf", x), _dims(dim), kind)


@lowering("aten.native_layer_norm.default")
def layer_norm(c: Context, x, shape, weight, bias, eps):
    rank = len(x.shape)
    return reductions.layer_norm(c, x, list(range(rank - len(shape), rank)), weight, bias, eps)


@lowering("aten.native_group_norm.default")
def group_norm(c: Context, x, weight, bias, n, channels, size, groups, eps):
    """Each group of channels by its own mean and variance."""
    shape = tuple(c.shape)
    split = (shape[0], groups, channels // groups, *shape[2:])
    within = Context(c.writer, TensorType(split))
    x = c.writer.reshape(c.value(x), split)
    x = reductions.layer_norm(within, x, list(range(2, len(split))), None, None, eps)
    x = c.writer.reshape(x, shape)
    for op, operand in (("arith.mulf", weight), ("arith.addf", bias)):
        if operand is not None:
            x = elementwise.binary(c, op, x, c.channels(operand, 1))
    return x


@lowering("aten._native_batch_norm_legit.no_stats")
def instance_norm(c: Context, x, weight, bias, training, momentum, eps):
    """Torch makes one sample of a batch for it: channels by their own statistics."""
    dims = [0, *range(2, len(x.shape))]
    x = reductions.layer_norm(c, x, dims, None, None, eps)
    for op, operand in (("arith.mulf", weight), ("arith.addf", bias)):
        if operand is not None:
            x = elementwise.binary(c, op, x, c.channels(operand, 1))
    return x


def _dims(dim):
    """No dimensions are all of them."""
    return [dim] if isinstance(dim, int) else dim or None


@lowering("aten.softmax.int", "aten._softmax.default")
def softmax(c: Context, x, dim, *_):
    return reductions.softmax(c, x, dim)


@lowering("aten.log_softmax.int", "aten._log_softmax.default")
def log_softmax(c: Context, x, dim, *_):
    return reductions.log_softmax(c, x, dim)
