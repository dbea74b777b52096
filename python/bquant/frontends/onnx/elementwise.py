"""Elementwise operators of ONNX."""

from __future__ import annotations

import numpy as np

from ..common.operators import elementwise as emit
from ..common.operators.context import array, constant
from ..common.shapes import INTEGERS, UnsupportedOp
from ..common.table import operator
from .context import Node
from .quantize import CODES


def wrapped(n: Node, write, *operands):
    """What is computed of codes wraps in their type: it is computed of i32."""
    whole = n.context(n.shape, "i32")

    def integers(x):
        if x.number is not None:
            return constant(x.constant.astype(np.int32), x.hint)
        return emit.cast(n.context(x.shape, "i32"), x)

    return _as_code(n, whole, write(whole, *map(integers, operands)))


def _as_code(n: Node, whole, value):
    """Integers of i32, which `whole` writes, as codes."""
    low, high = CODES[n.dtype]

    def build(b, x):
        moved = b("arith.andi", b("sub", x, b.number(low)), b.number(high - low))
        return b("add", moved, b.number(low))

    return emit.to_number(n, whole.elementwise(build, value))


@operator(onnx="Mod", integers=True)
def mod(n: Node, x, y):
    """With `fmod` of the sign of x, else of that of y, as a zero is, too."""
    whole = n.type.element in INTEGERS
    if n.get("fmod", 0):
        op, y = ("arith.remsi", emit.divisor(y)) if whole else ("arith.remf", y)
        return emit.binary(n, op, x, y)
    if whole:
        return emit.modulo(n, x, emit.divisor(y))

    def build(b, rest, y):
        zero = b.number(0.0)
        return b.select(b.compare("oeq", rest, zero), b("math.copysign", zero, y), rest)

    return n.elementwise(build, emit.remainder(n, x, y), y)


@operator(onnx="Mean")
def mean(n: Node, *operands):
    total = emit.binary(n, "add", *operands)
    return emit.binary(n, "arith.divf", total, float(len(operands)))


@operator(onnx="IsInf")
def is_infinite(n: Node, x):
    signs = [s for s, name in ((1, "detect_positive"), (-1, "detect_negative")) if n.get(name, 1)]

    def build(b, x):
        found = [b.compare("oeq", x, b.number(s * float("inf"))) for s in signs]
        if not found:
            return b.compare("one", x, x)
        return found[0] if len(found) == 1 else b("arith.ori", *found)

    return n.elementwise(build, x)


@operator(onnx="Trilu", integers=True)
def triangle(n: Node, x, k=None):
    """Zeros below a diagonal, or above it."""
    shift, rank = 0 if k is None else int(array(k, "diagonals").item()), len(n.shape)

    def build(b, x):
        upper = n.get("upper", 1)
        beyond = b.is_beyond(rank - 1, rank - 2, shift if upper else shift + 1)
        zero = b.as_bit(b.number(0)) if b.elements[x] == "i1" else b.number(0)
        kept = (x, zero) if upper else (zero, x)
        return b.select(beyond, *kept)

    return n.elementwise(build, x)


@operator(onnx="Pow", integers=True)
def power(n: Node, x, y):
    exponent = y.constant.item() if y.number is not None and y.size == 1 else None
    whole = n.type.element in INTEGERS
    if whole and exponent not in (2, 3):
        raise UnsupportedOp("expected integers to the power of 2 or 3")
    if whole or exponent in (2, 0.5):
        return emit.power(n, x, exponent)
    return emit.binary(n, "math.powf", x, y)


@operator(onnx="BatchNormalization")
def batch_norm(n: Node, x, scale, bias, mean, var):
    """x * alpha + beta, with alpha and beta rounded at each step, as runtimes have them."""
    if n.get("training_mode", 0) or n.others:
        raise UnsupportedOp("expected running statistics, but got those of training")
    epsilon = n.get("epsilon", 1e-5)
    if any(o.constant is None for o in (scale, bias, mean, var)):
        return emit.affine(n, x, *_computed_affine(n, scale, bias, mean, var, epsilon), 1)
    scale, bias, mean, var = (array(o, "parameters") for o in (scale, bias, mean, var))
    with np.errstate(all="ignore"):
        alpha = scale / np.sqrt(var + np.float32(epsilon))
        beta = bias - mean * alpha
    return emit.affine(n, x, alpha, beta, 1)


def _computed_affine(n: Node, scale, bias, mean, var, epsilon: float):
    """Alpha and beta of parameters that are known at run time."""
    c = n.context(scale.shape)

    def deviation(b, scale, var):
        return b("arith.divf", scale, b("math.sqrt", b("add", var, b.number(epsilon))))

    def shift(b, bias, mean, alpha):
        return b("sub", bias, b("mul", mean, alpha))

    alpha = c.elementwise(deviation, scale, var)
    beta = c.elementwise(shift, bias, mean, alpha)
    return alpha, beta


@operator(onnx=("Cast", "CastLike"), integers=True, codes=True)
def cast(n: Node, x, *_):
    return emit.cast(n, x) if n.dtype not in CODES else _to_code(n, x)


def _to_code(n: Node, x):
    """What is no code loses its upper bits, as an integer does."""
    low, high = CODES[n.dtype]
    if x.dtype in CODES and low <= CODES[x.dtype][0] and CODES[x.dtype][1] <= high:
        return x
    whole = n.context(n.shape, "i32")
    return _as_code(n, whole, emit.cast(whole, x))
