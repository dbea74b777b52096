"""Sums, means and maxima along dimensions, and what is made of them."""

from __future__ import annotations

import math

from ..mlir import Value
from ..shapes import INTEGERS, TensorType
from .context import Context, positive
from .elementwise import as_number, binary, square, to_integer

# The operation that takes in one element, and what it starts with.
SUM = "arith.addf", 0.0
MAXIMUM = "arith.maximumf", float("-inf")
MINIMUM = "arith.minimumf", float("inf")
PRODUCT = "arith.mulf", 1.0


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
        [", ".join(f"d{d}" for d in range(rank))],
        w.fill(start, TensorType(tuple(value.shape[d] for d in kept), element)),
        ", ".join(f"d{d}" for d in kept),
        ["reduction" if d in dims else "parallel" for d in range(rank)],
        element,
    )


def reduce(c: Context, x, dims, kind):
    """`kind` is SUM, MAXIMUM or MINIMUM; the result type says whether dimensions of 1 are kept. Of
    bits, whether any or all of them are set."""
    if c.type.element == "i1":
        return any_of(c, x, dims, all_=kind in (MINIMUM, PRODUCT))
    return c.writer.reshape(_reduce(c, x, dims, kind), c.shape)


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
    return c.elementwise(lambda b, x, m: b("arith.subf", x, m), x, largest)


def softmax(c: Context, x, dim: int):
    powers = c.elementwise(lambda b, x: b("math.exp", x), _shifted(c, x, dim))
    added = _kept(c, _reduce(c, powers, [dim], SUM), dim)
    return c.elementwise(lambda b, x, s: b("arith.divf", x, s), powers, added)


def log_sum_exp(c: Context, x, dims):
    """log(sum(exp(x))), less the maximum meanwhile, so that nothing overflows."""
    rank = len(x.shape)
    dims = {positive(d, rank) for d in dims}
    kept = tuple(1 if d in dims else size for d, size in enumerate(x.shape))
    largest = reduce(Context(c.writer, TensorType(kept)), x, dims, MAXIMUM)

    def power(b, x, most):
        # An infinite maximum is no distance.
        finite = b.compare("olt", b("math.absf", most), b.number(float("inf")))
        return b("math.exp", b("arith.subf", x, b.select(finite, most, b.number(0.0))))

    powers = Context(c.writer, TensorType(tuple(x.shape))).elementwise(power, x, largest)

    def log(b, total, most):
        finite = b.compare("olt", b("math.absf", most), b.number(float("inf")))
        return b("arith.addf", b("math.log", total), b.select(finite, most, b.number(0.0)))

    added = reduce(c, powers, dims, SUM)
    return c.elementwise(log, added, c.writer.reshape(largest, c.shape))


def log_softmax(c: Context, x, dim: int):
    shifted = _shifted(c, x, dim)
    powers = c.elementwise(lambda b, x: b("math.exp", x), shifted)
    added = _reduce(c, powers, [dim], SUM)
    logs = c.elementwise(lambda b, x: b("math.log", x), added, type_=added.type)
    return c.elementwise(lambda b, x, s: b("arith.subf", x, s), shifted, _kept(c, logs, dim))


def variance(c: Context, x, dims, correction: float):
    """The mean square distance from the mean, of as many values less `correction`."""
    rank = len(x.shape)
    dims = {positive(d, rank) for d in (range(rank) if dims is None else dims)}
    kept = Context(
        c.writer, TensorType(tuple(1 if d in dims else s for d, s in enumerate(x.shape)))
    )
    whole = Context(c.writer, TensorType(tuple(x.shape)))
    squares = square(whole, binary(whole, "arith.subf", x, mean(kept, x, dims)))
    total = reduce(c, squares, dims, SUM)
    count = math.prod(x.shape[d] for d in dims) - correction
    return binary(c, "arith.divf", total, float(count))


def any_of(c: Context, x, dims, all_: bool):
    """Whether any, or all, of what is reduced is not 0."""
    whole = Context(c.writer, TensorType(tuple(x.shape)))

    def magnitude(b, x):
        return b("math.absf", as_number(b, x))

    kind = MINIMUM if all_ else MAXIMUM
    most = reduce(
        Context(c.writer, TensorType(c.shape)), whole.elementwise(magnitude, x), dims, kind
    )
    return c.elementwise(lambda b, x: b.compare("une", x, b.number(0.0)), most)


def layer_norm(c: Context, x, dims, scale, bias, epsilon: float):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias; scale and bias may be None."""
    shape = tuple(1 if d in dims else size for d, size in enumerate(c.shape))
    kept = Context(c.writer, TensorType(shape))
    count = float(math.prod(c.shape[d] for d in dims))
    centred = binary(c, "arith.subf", x, mean(kept, x, dims))
    squares = reduce(kept, square(c, centred), dims, SUM)

    def deviation(b, total):
        variance = b("arith.divf", total, b.number(count))
        return b("math.sqrt", b("arith.addf", variance, b.number(epsilon)))

    normal = binary(c, "arith.divf", centred, kept.elementwise(deviation, squares))
    scaled = normal if scale is None else binary(c, "arith.mulf", normal, scale)
    return scaled if bias is None else binary(c, "arith.addf", scaled, bias)
