"""Elementwise operations. Each is one linalg.generic of arith and math."""

from __future__ import annotations

import math

import numpy as np

from ..shapes import UnsupportedOp
from .context import Context, Operand, constant


def unary(c: Context, op: str, x):
    return c.elementwise(lambda b, x: b(op, x), x)


def as_number(b, x: str) -> str:
    """A bit beside floats is 0 or 1."""
    return b.to_number(x) if b.elements[x] == "i1" else x


# What the sum, the product and the extremes of bits are, as PyTorch has them.
_OF_BITS = {
    "arith.addf": "arith.ori",
    "arith.mulf": "arith.andi",
    "arith.maximumf": "arith.ori",
    "arith.minimumf": "arith.andi",
}


def binary(c: Context, op: str, x, y):
    if c.type.element == "i1":
        return logical(c, _OF_BITS[op], x, y)
    return c.elementwise(lambda b, x, y: b(op, as_number(b, x), as_number(b, y)), x, y)


def binary_of_all(c: Context, op: str, operands):
    """Of any number of operands, from the first on; by one linalg.generic."""

    def build(b, x, *rest):
        x = as_number(b, x)
        for y in rest:
            x = b(op, x, as_number(b, y))
        return x

    return c.elementwise(build, *operands)


def reciprocal(c: Context, x):
    return c.elementwise(lambda b, x: b("arith.divf", b.number(1.0), x), x)


def rsqrt(c: Context, x):
    return c.elementwise(lambda b, x: b("arith.divf", b.number(1.0), b("math.sqrt", x)), x)


def square(c: Context, x):
    return c.elementwise(lambda b, x: b("arith.mulf", x, x), x)


def sign(c: Context, x):
    """0 for zeros and NaN. bquant's sign is `where(x >= 0, 1, -1)`."""

    def build(b, x):
        zero = b.number(0.0)
        positive = b.select(b.compare("ogt", x, zero), b.number(1.0), zero)
        return b.select(b.compare("olt", x, zero), b.number(-1.0), positive)

    return c.elementwise(build, x)


# Activations.


def sigmoid(c: Context, x):
    def build(b, x):
        one = b.number(1.0)
        return b("arith.divf", one, b("arith.addf", one, b("math.exp", b("arith.negf", x))))

    return c.elementwise(build, x)


def relu(c: Context, x):
    return c.elementwise(lambda b, x: b("arith.maximumf", x, b.number(0.0)), x)


def clamp(c: Context, x, low=None, high=None):
    """Between bounds, either of which may be None. NaN stays NaN."""
    bounds = [bound for bound in (low, high) if bound is not None]
    if not bounds:
        return x

    def build(b, x, *rest):
        rest = iter(rest)
        if low is not None:
            x = b("arith.maximumf", x, next(rest))
        return b("arith.minimumf", x, next(rest)) if high is not None else x

    return c.elementwise(build, x, *bounds)


def leaky_relu(c: Context, x, slope):
    """`slope` is a number, or what is broadcast to x."""

    def build(b, x, slope):
        return b.select(b.compare("ogt", x, b.number(0.0)), x, b("arith.mulf", slope, x))

    return c.elementwise(build, x, slope)


def elu(c: Context, x, alpha: float):
    def build(b, x):
        negative = b("arith.mulf", b.number(alpha), b("math.expm1", x))
        return b.select(b.compare("ogt", x, b.number(0.0)), x, negative)

    return c.elementwise(build, x)


def softplus(c: Context, x):
    """log(1 + exp(x)), of an exponential that does not overflow."""

    def build(b, x):
        tail = b("math.log1p", b("math.exp", b("arith.negf", b("math.absf", x))))
        return b("arith.addf", b("arith.maximumf", x, b.number(0.0)), tail)

    return c.elementwise(build, x)


def gelu(c: Context, x, tanh: bool):
    """x times the normal distribution's share below x; with `tanh` an approximation of that."""

    def build(b, x):
        if tanh:
            cube = b("arith.mulf", b("arith.mulf", x, x), x)
            y = b("arith.addf", x, b("arith.mulf", cube, b.number(0.044715)))
            share = b("math.tanh", b("arith.mulf", y, b.number(math.sqrt(2 / math.pi))))
        else:
            share = b("math.erf", b("arith.mulf", x, b.number(math.sqrt(0.5))))
        half = b("arith.mulf", x, b.number(0.5))
        return b("arith.mulf", half, b("arith.addf", share, b.number(1.0)))

    return c.elementwise(build, x)


def affine(c: Context, x, alpha, beta, dim: int):
    """x * alpha + beta, the product and the sum rounded; vectors along one dimension."""
    return c.elementwise(
        lambda b, x, alpha, beta: b("arith.addf", b("arith.mulf", x, alpha), beta),
        x,
        c.channels(alpha, dim),
        c.channels(beta, dim),
    )


# Comparisons and choices.


def compare(c: Context, predicate: str, x, y):
    """Of floats; a bit counts as 0 or 1."""
    return c.elementwise(
        lambda b, x, y: b.compare(predicate, as_number(b, x), as_number(b, y)), x, y
    )


def where(c: Context, condition, x, y):
    """Between bits, too; a number beside them is 1 where it is not 0."""

    def build(b, bit, x, y):
        if c.type.element == "i1":
            x, y = as_bit(b, x), as_bit(b, y)
        return b.select(bit, x, y)

    return c.elementwise(build, condition, x, y)


def to_number(c: Context, x):
    """Bits and integers as what the result has."""
    element = c.type.element
    return c.writer.elementwise(
        lambda b, x: b.to_number(x), [(c.value(x), list(range(len(c.shape))))], c.type, element
    )


def cast(c: Context, x):
    """To the element of the result."""
    element = c.type.element
    if x.element == element:
        return x
    if element == "i1":
        return compare(c, "une", x, 0)
    return to_integer(c, x) if x.element == "f32" else to_number(c, x)


def divisor(y) -> int:
    """Of integers; positive and constant, so that nothing traps."""
    known = isinstance(y, Operand) and y.number is not None and y.size == 1
    number = y.constant.item() if known else y
    if not isinstance(number, (int, np.integer)) or number < 1:
        raise UnsupportedOp("expected integers to be divided by a positive constant")
    return int(number)


def modulo(c: Context, x, number: int):
    """Of integers, from 0 to the number."""

    def build(b, x, y):
        return b("arith.subf", x, b("arith.mulf", b("arith.floordivsi", x, y), y))

    return c.elementwise(build, x, number)


def to_integer(c: Context, x):
    """Towards zero; NaN and what is too large become the least integer, as on x86."""
    element = c.type.element
    most = 2.0 ** (int(element[1:]) - 1)

    def build(b, x):
        low, high = b.compare("oge", x, b.number(-most)), b.compare("olt", x, b.number(most))
        fits = b("arith.andi", low, high)
        return b.to_integer(b.select(fits, x, b.number(0.0)), fits, element)

    return c.writer.elementwise(build, [(c.value(x), list(range(len(c.shape))))], c.type)


def expand(c: Context, x):
    return x if x.shape == c.shape else c.elementwise(lambda b, x: x, x)


def full_like(c: Context, x, number: float):
    def build(b, x):
        value = b.number(float(number))
        return as_bit(b, value) if c.type.element == "i1" else value

    return c.elementwise(build, x)


def mish(c: Context, x):
    return binary(c, "arith.mulf", x, unary(c, "math.tanh", softplus(c, x)))


def power(c: Context, x, exponent: float):
    """Small whole exponents by products, as torch and NumPy compute them."""
    if exponent in (2, 3):

        def build(b, x):
            y = b("arith.mulf", x, x)
            return y if exponent == 2 else b("arith.mulf", y, x)

        return c.elementwise(build, x)
    if exponent == 0.5:
        return unary(c, "math.sqrt", x)
    return binary(c, "math.powf", x, exponent)


def remainder(c: Context, x, y):
    """Of the sign of y, as Python's."""

    def build(b, x, y):
        zero = b.number(0.0)
        rest = b("arith.remf", x, y)
        # Without short cuts: rest != 0 and the signs differ.
        moved = b("arith.addf", rest, y)
        below = b("arith.andi", b.compare("olt", rest, zero), b.compare("ogt", y, zero))
        above = b("arith.andi", b.compare("ogt", rest, zero), b.compare("olt", y, zero))
        return b.select(b("arith.ori", below, above), moved, rest)

    return c.elementwise(build, x, y)


def as_bit(b, x: str) -> str:
    """Whether a number is not 0."""
    return x if b.elements[x] == "i1" else b.compare("une", x, b.number(0.0))


def logical(c: Context, op: str, x, y):
    """`op` of arith on bits; a number is 1 where it is not 0."""
    return c.elementwise(lambda b, x, y: b(op, as_bit(b, x), as_bit(b, y)), x, y)


def logical_not(c: Context, x):
    def build(b, x):
        value = b.to_number(x) if b.elements[x] == "i1" else x
        return b.compare("oeq", value, b.number(0.0))

    return c.elementwise(build, x)


def fake_quantize(c: Context, x, scale, zero, low: int, high: int):
    """(clamp(round(x / scale) + zero) - zero) * scale, by the reciprocal of the scale."""

    def build(b, x, inverse, scale, zero):
        code = b("math.roundeven", b("arith.mulf", x, inverse))
        code = b("arith.addf", code, zero)
        code = b("arith.minimumf", b("arith.maximumf", code, b.number(low)), b.number(high))
        return b("arith.mulf", b("arith.subf", code, zero), scale)

    inverse = constant(np.float32(1) / scale.constant.astype(np.float32), scale.hint)
    return c.elementwise(build, x, inverse, scale, zero)
