"""Sums, means and maxima along dimensions, and what is made of them."""

from __future__ import annotations

import math

from ..mlir import Value
from ..shapes import INTEGERS, TensorType, UnsupportedOp
from ..table import operator, register_all
from .context import Context, Node, numbers, positive
from .elementwise import binary, square, to_integer, unary

# The operation that takes in one element, and what it starts with.
SUM = "add", 0.0
MAXIMUM = "max", float("-inf")
MINIMUM = "min", float("inf")
PRODUCT = "mul", 1.0


def _reduce(c: Context, x, dims, kind) -> Value:
    """The result without the reduced dimensions; None reduces all."""
    w, value, (op, start) = c.writer, c.value(x), kind
    rank = len(value.shape)
    dims = {positive(d, rank) for d in (range(rank) if dims is None else dims)}
    kept = [d for d in range(rank) if d not in dims]
    element = c.type.element if c.type.element in INTEGERS else "f32"
    if element in INTEGERS and value.type.element == "f32":
        value = to_integer(Context(w, TensorType(value.shape, element)), value)
    return w.generic(
        lambda b, x, total: b(op, total, b.to_number(x)),
        [value],
        [range(rank)],
        w.fill(start, TensorType(tuple(value.shape[d] for d in kept), element)),
        kept,
        element,
    )


def reduce(c: Context, x, dims, kind):
    """`kind` is SUM, MAXIMUM or MINIMUM; the result type says whether dimensions of 1 are kept. Of
    bits, whether any or all of them are set."""
    if c.type.element == "i1":
        return any_of(c, x, dims, all_=kind in (MINIMUM, PRODUCT))
    return c.writer.reshape(_reduce(c, x, dims, kind), c.shape)


def _dims(n: Node, dims) -> list[int] | None:
    """What is reduced, an argument, an operand or an option; None is everything."""
    dims = n.get("axes") if dims is None else numbers(dims, "axes")
    return dims or ([] if n.get("noop_with_empty_axes", n.keeps_without_axes) else None)


def _reduction(kind):
    return lambda n, x, dims=None, *_, **__: reduce(n, x, _dims(n, dims), kind)


register_all(
    [
        (SUM, ("aten.sum.dim_IntList", "aten.sum.default"), "ReduceSum", "SUM"),
        (PRODUCT, ("aten.prod.dim_int", "aten.prod.default"), "ReduceProd", "REDUCE_PROD"),
    ],
    _reduction,
    integers=True,
)
register_all(
    [
        (MAXIMUM, ("aten.amax.default", "aten.max.default"), "ReduceMax", "REDUCE_MAX"),
        (MINIMUM, ("aten.amin.default", "aten.min.default"), "ReduceMin", "REDUCE_MIN"),
    ],
    _reduction,
    integers=True,
    codes=True,
)


@operator(torch=("aten.mean.dim", "aten.mean.default"), onnx="ReduceMean", tflite="MEAN")
def reduce_mean(n: Node, x, dims=None, *_, **__):
    return mean(n, x, _dims(n, dims))


def mean(c: Context, x, dims):
    added = _reduce(c, x, dims, SUM)
    count = math.prod(x.shape) // math.prod(added.shape)
    result = c.elementwise(
        lambda b, x, n: b("arith.divf", x, n), added, float(count), type_=added.type
    )
    return c.writer.reshape(result, c.shape)


def _kept(c: Context, value: Value, dim: int) -> Value:
    shape = list(c.shape)
    shape[positive(dim, len(shape))] = 1
    return c.writer.reshape(value, shape)


def _shifted(c: Context, x, dim: int) -> Value:
    """x minus its maximum along `dim`, so that nothing overflows."""
    largest = _kept(c, _reduce(c, x, [dim], MAXIMUM), dim)
    return c.elementwise(lambda b, x, m: b("sub", x, m), x, largest)


def softmax(c: Context, x, dim: int):
    powers = c.elementwise(lambda b, x: b("math.exp", x), _shifted(c, x, dim))
    added = _kept(c, _reduce(c, powers, [dim], SUM), dim)
    return c.elementwise(lambda b, x, s: b("arith.divf", x, s), powers, added)


@operator(torch=("aten.softmax.int", "aten._softmax.default"), onnx="Softmax", tflite="SOFTMAX")
def softmax_by_option(n: Node, x, dim=None, *_):
    beta = n.get("beta", 1.0)
    if beta != 1.0:
        x = n.elementwise(lambda b, x: b("mul", x, b.number(beta)), x)
    return softmax(n, x, n.get("axis", -1) if dim is None else dim)


@operator(
    torch=("aten.log_softmax.int", "aten._log_softmax.default"),
    onnx="LogSoftmax",
    tflite="LOG_SOFTMAX",
)
def log_softmax_by_option(n: Node, x, dim=None, *_):
    return log_softmax(n, x, n.get("axis", -1) if dim is None else dim)


@operator(onnx="ReduceL1", integers=True)
def reduce_l1(n: Node, x, dims=None):
    whole = n.context(x.shape, n.type.element)
    return reduce(n, unary(whole, "abs", x), _dims(n, dims), SUM)


@operator(onnx="ReduceSumSquare", integers=True)
def reduce_sum_square(n: Node, x, dims=None):
    return reduce(n, square(n.context(x.shape, n.type.element), x), _dims(n, dims), SUM)


@operator(onnx="ReduceL2")
def reduce_l2(n: Node, x, dims=None):
    return unary(n, "math.sqrt", reduce_sum_square(n, x, dims))


@operator(torch="aten.linalg_vector_norm.default")
def vector_norm(n: Node, x, ord=2, dim=None, *_, **__):  # noqa: A002
    if ord == 2:
        return reduce_l2(n, x, dim)
    if ord not in (1, float("inf")):
        raise UnsupportedOp(f"expected a norm of order 1, 2 or inf, but got {ord}")
    sizes = unary(n.context(x.shape), "abs", x)
    return reduce(n, sizes, _dims(n, dim), SUM if ord == 1 else MAXIMUM)


@operator(onnx="ReduceLogSum")
def reduce_log_sum(n: Node, x, dims=None):
    return unary(n, "math.log", reduce(n, x, _dims(n, dims), SUM))


@operator(onnx="ReduceLogSumExp")
def reduce_log_sum_exp(n: Node, x, dims=None):
    dims = _dims(n, dims)
    return log_sum_exp(n, x, range(len(x.shape)) if dims is None else dims)


def log_sum_exp(c: Context, x, dims):
    """log(sum(exp(x))), less the maximum meanwhile, so that nothing overflows."""
    rank = len(x.shape)
    dims = {positive(d, rank) for d in dims}
    kept = tuple(1 if d in dims else size for d, size in enumerate(x.shape))
    largest = reduce(c.context(kept), x, dims, MAXIMUM)

    def power(b, x, most):
        # An infinite maximum is no distance.
        finite = b.compare("olt", b("abs", most), b.number(float("inf")))
        return b("math.exp", b("sub", x, b.select(finite, most, b.number(0.0))))

    powers = c.context(x.shape).elementwise(power, x, largest)

    def log(b, total, most):
        finite = b.compare("olt", b("abs", most), b.number(float("inf")))
        return b("add", b("math.log", total), b.select(finite, most, b.number(0.0)))

    added = reduce(c, powers, dims, SUM)
    return c.elementwise(log, added, c.writer.reshape(largest, c.shape))


def log_softmax(c: Context, x, dim: int):
    shifted = _shifted(c, x, dim)
    powers = c.elementwise(lambda b, x: b("math.exp", x), shifted)
    added = _reduce(c, powers, [dim], SUM)
    logs = c.elementwise(lambda b, x: b("math.log", x), added, type_=added.type)
    return c.elementwise(lambda b, x, s: b("sub", x, s), shifted, _kept(c, logs, dim))


@operator(torch="aten.var.correction")
def var(n: Node, x, dim=None, correction=1, **_):
    return variance(n, x, _dims(n, dim), 1 if correction is None else correction)


@operator(torch="aten.var_mean.correction")
def var_mean(n: Node, x, dim=None, correction=1, **_):
    return [var(n, x, dim, correction), mean(n, x, _dims(n, dim))]


@operator(torch="aten.std.correction")
def std(n: Node, x, dim=None, correction=1, **_):
    return unary(n, "math.sqrt", var(n, x, dim, correction))


def variance(c: Context, x, dims, correction: float):
    """The mean square distance from the mean, of as many values less `correction`, at least 0."""
    rank = len(x.shape)
    dims = {positive(d, rank) for d in (range(rank) if dims is None else dims)}
    kept = c.context(1 if d in dims else size for d, size in enumerate(x.shape))
    whole = c.context(x.shape)
    squares = square(whole, binary(whole, "sub", x, mean(kept, x, dims)))
    total = reduce(c, squares, dims, SUM)
    count = math.prod(x.shape[d] for d in dims) - correction
    return binary(c, "arith.divf", total, max(0.0, float(count)))


def any_of(c: Context, x, dims, all_: bool):
    """Whether any, or all, of what is reduced is not 0."""
    whole = c.context(x.shape)

    def bit(b, x):
        return b.to_number(b.as_bit(x))  # 1 of NaN

    kind = MINIMUM if all_ else MAXIMUM
    most = reduce(c.context(c.shape), whole.elementwise(bit, x), dims, kind)
    return c.elementwise(lambda b, x: b.compare("une", x, b.number(0.0)), most)


@operator(torch=("aten.any.dim", "aten.any.dims", "aten.any.default"))
def any_(n: Node, x, dim=None, *_):
    """An empty list of dimensions reduces nothing, as of no sum."""
    return any_of(n, x, numbers(dim, "axes"), all_=False)


@operator(torch=("aten.all.dim", "aten.all.dims", "aten.all.default"))
def every(n: Node, x, dim=None, *_):
    return any_of(n, x, numbers(dim, "axes"), all_=True)


def group_norm(c: Context, x, groups: int, epsilon: float) -> Value:
    """Each group of channels by its own mean and variance."""
    split = (x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])
    value = c.writer.reshape(c.value(x), split)
    value = layer_norm(c.context(split), value, range(2, len(split)), None, None, epsilon)
    return c.writer.reshape(value, x.shape)


def scale_channels(c: Context, x, scale, bias):
    """x * scale + bias, a number for each channel; either may be None."""
    for op, operand in (("mul", scale), ("add", bias)):
        if operand is not None:
            x = binary(c, op, x, c.channels(operand, 1))
    return x


def layer_norm(c: Context, x, dims, scale, bias, epsilon: float):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias; scale and bias may be None."""
    shape = tuple(1 if d in dims else size for d, size in enumerate(c.shape))
    kept = c.context(shape)
    count = float(math.prod(c.shape[d] for d in dims))
    centred = binary(c, "sub", x, mean(kept, x, dims))
    squares = reduce(kept, square(c, centred), dims, SUM)

    def deviation(b, total):
        variance = b("arith.divf", total, b.number(count))
        return b("math.sqrt", b("add", variance, b.number(epsilon)))

    normal = binary(c, "arith.divf", centred, kept.elementwise(deviation, squares))
    scaled = normal if scale is None else binary(c, "mul", normal, scale)
    return scaled if bias is None else binary(c, "add", scaled, bias)
