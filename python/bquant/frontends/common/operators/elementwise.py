"""Elementwise operations. Each is one linalg.generic of arith and math."""

from __future__ import annotations

import functools
import math
from functools import partial

import numpy as np

from ..shapes import INTEGERS, UnsupportedOp
from ..table import operator, register_all
from .context import Context, Node, Operand


def unary(c: Context, op: str, x):
    return c.elementwise(lambda b, x: b(op, x), x)


def _unary(op: str):
    return lambda n, x: unary(n, op, x)


# Of integers, too.
register_all(
    [
        ("abs", "aten.abs.default", "Abs", "ABS"),
        ("neg", "aten.neg.default", "Neg", "NEG"),
    ],
    _unary,
    integers=True,
    codes=True,
    wraps=True,
)
register_all(
    [
        ("math.atan", "aten.atan.default", "Atan", ()),
        ("math.ceil", "aten.ceil.default", "Ceil", "CEIL"),
        ("math.cos", "aten.cos.default", "Cos", "COS"),
        ("math.erf", "aten.erf.default", "Erf", ()),
        ("math.exp", "aten.exp.default", "Exp", "EXP"),
        ("math.exp2", "aten.exp2.default", (), ()),
        ("math.expm1", "aten.expm1.default", (), ()),
        ("math.floor", "aten.floor.default", "Floor", "FLOOR"),
        ("math.log", "aten.log.default", "Log", "LOG"),
        ("math.log1p", "aten.log1p.default", (), ()),
        ("math.log2", "aten.log2.default", (), ()),
        ("math.roundeven", "aten.round.default", "Round", "ROUND"),
        ("math.sin", "aten.sin.default", "Sin", "SIN"),
        ("math.sqrt", "aten.sqrt.default", "Sqrt", "SQRT"),
        ("math.tan", "aten.tan.default", "Tan", ()),
        ("math.tanh", "aten.tanh.default", "Tanh", "TANH"),
        ("math.trunc", "aten.trunc.default", (), ()),
    ],
    _unary,
)


# What the sum, the product and the extremes of bits are, as PyTorch has them.
_OF_BITS = {
    "add": "arith.ori",
    "mul": "arith.andi",
    "max": "arith.ori",
    "min": "arith.andi",
}


def binary(c: Context, op: str, *operands):
    """Of any number of operands, from the first on; by one linalg.generic."""
    if c.type.element == "i1":
        return logical(c, _OF_BITS[op], *operands)
    return c.elementwise(lambda b, *names: functools.reduce(partial(b, op), names), *operands)


def _binary(op: str):
    return lambda n, *operands: binary(n, op, *operands)


# torch's sums have a factor.
register_all(
    [
        ("add", (), "Add", "ADD"),
        ("sub", (), "Sub", "SUB"),
        ("mul", ("aten.mul.Tensor", "aten.mul.Scalar"), "Mul", "MUL"),
        ("max", ("aten.maximum.default", "aten.max.other"), "Max", "MAXIMUM"),
        ("min", ("aten.minimum.default", "aten.min.other"), "Min", "MINIMUM"),
    ],
    _binary,
    integers=True,
    codes=True,
    wraps=True,
)
register_all(
    [
        ("add", (), "Sum", "ADD_N"),
        ("math.atan2", "aten.atan2.default", (), ()),
        ("math.copysign", ("aten.copysign.Tensor", "aten.copysign.Scalar"), (), ()),
        ("arith.remf", ("aten.fmod.Tensor", "aten.fmod.Scalar"), (), ()),
        ("math.powf", ("aten.pow.Tensor_Tensor", "aten.pow.Scalar"), (), "POW"),
    ],
    _binary,
    integers=True,
)


@operator(torch=("aten.div.Tensor", "aten.div.Scalar"), onnx="Div", tflite="DIV", integers=True)
def divide(n: Node, x, y):
    """Of integers towards zero."""
    if n.type.element in INTEGERS:
        return binary(n, "arith.divsi", x, divisor(y))
    return binary(n, "arith.divf", x, y)


@operator(torch="aten.reciprocal.default", onnx="Reciprocal")
def reciprocal(c: Context, x):
    return c.elementwise(lambda b, x: b("arith.divf", b.number(1.0), x), x)


@operator(torch="aten.rsqrt.default", tflite="RSQRT")
def rsqrt(c: Context, x):
    return c.elementwise(lambda b, x: b("arith.divf", b.number(1.0), b("math.sqrt", x)), x)


@operator(torch="aten.square.default", tflite="SQUARE")
def square(c: Context, x):
    return c.elementwise(lambda b, x: b("mul", x, x), x)


@operator(torch="aten.sign.default", onnx="Sign", integers=True, codes=True, wraps=True)
def sign(c: Context, x, nan: float = 0.0):
    """0 for zeros, and `nan` for NaN (0 or -1). bquant's sign is `where(x >= 0, 1, -1)`."""

    def build(b, x):
        zero = b.number(0.0)
        positive = b.select(b.compare("ogt", x, zero), b.number(1.0), zero)
        if nan == 0:
            return b.select(b.compare("olt", x, zero), b.number(-1.0), positive)
        return b.select(b.compare("oge", x, zero), positive, b.number(nan))

    return c.elementwise(build, x)


@operator(tflite="SIGN")
def sign_of_tflite(n: Node, x):
    """The interpreter gives 0 for NaN; here it is -1, as of all signs: so Larq's, which is
    sign(sign(x) + 0.1), has two values."""
    return sign(n, x, nan=-1.0)


# Activations.


@operator(torch="aten.sigmoid.default", onnx="Sigmoid", tflite="LOGISTIC")
def sigmoid(c: Context, x):
    def build(b, x):
        one = b.number(1.0)
        return b("arith.divf", one, b("add", one, b("math.exp", b("neg", x))))

    return c.elementwise(build, x)


@operator(torch="aten.relu.default", tflite="RELU", integers=True)
@operator(onnx="Relu", integers=True, codes=True, wraps=True)
def relu(c: Context, x):
    return c.elementwise(lambda b, x: b("max", x, b.number(0.0)), x)


@operator(
    torch=(
        "aten.clamp.default",
        "aten.clamp.Tensor",
        "aten.hardtanh.default",
        "aten.clamp_min.default",
    ),
    onnx="Clip",
    integers=True,
    codes=True,
)
def clamp(c: Context, x, min=None, max=None):  # noqa: A002
    """Between bounds, either of which may be None. NaN stays NaN."""
    bounds = [bound for bound in (min, max) if bound is not None]
    if not bounds:
        return x

    def build(b, x, *rest):
        rest = iter(rest)
        if min is not None:
            x = b("max", x, next(rest))
        return b("min", x, next(rest)) if max is not None else x

    return c.elementwise(build, x, *bounds)


register_all(
    [
        ((0.0, 6.0), "aten.relu6.default", (), "RELU6"),
        ((-1.0, 1.0), (), (), "RELU_N1_TO_1"),
        ((0.0, 1.0), (), (), "RELU_0_TO_1"),
    ],
    lambda bounds: lambda n, x: clamp(n, x, *bounds),
)


@operator(onnx="PRelu", tflite="PRELU")
def leaky_relu(c: Context, x, slope):
    """`slope` is a number, or what is broadcast to x."""

    def build(b, x, slope):
        return b.select(b.compare("ogt", x, b.number(0.0)), x, b("mul", slope, x))

    return c.elementwise(build, x, slope)


@operator(torch="aten.leaky_relu.default", onnx="LeakyRelu", tflite="LEAKY_RELU")
def leaky_relu_by_option(n: Node, x, negative_slope=None):
    return leaky_relu(n, x, n.get("alpha", 0.01) if negative_slope is None else negative_slope)


def elu(c: Context, x, alpha: float):
    def build(b, x):
        negative = b("mul", b.number(alpha), b("math.expm1", x))
        return b.select(b.compare("ogt", x, b.number(0.0)), x, negative)

    return c.elementwise(build, x)


@operator(onnx="Elu", tflite="ELU")
def elu_by_option(n: Node, x):
    return elu(n, x, n.get("alpha", 1.0))


@operator(torch="aten.selu.default", onnx="Selu")
def selu(n: Node, x):
    """Klambauer et al., "Self-normalizing neural networks": their alpha and lambda."""
    alpha, gamma = n.get("alpha", 1.6732632423543772), n.get("gamma", 1.0507009873554805)
    return binary(n, "mul", elu(n, x, alpha), gamma)


@operator(onnx="Softplus")
def softplus(c: Context, x):
    """log(1 + exp(x)), of an exponential that does not overflow."""

    def build(b, x):
        tail = b("math.log1p", b("math.exp", b("neg", b("abs", x))))
        return b("add", b("max", x, b.number(0.0)), tail)

    return c.elementwise(build, x)


@operator(onnx="Softsign")
def softsign(c: Context, x):
    """x / (1 + |x|)."""
    return c.elementwise(lambda b, x: b("arith.divf", x, b("add", b("abs", x), b.number(1.0))), x)


@operator(onnx="ThresholdedRelu")
def thresholded_relu(n: Node, x):
    """x where it is above `alpha`, else 0."""

    def build(b, x):
        above = b.compare("ogt", x, b.number(n.get("alpha", 1.0)))
        return b.select(above, x, b.number(0.0))

    return n.elementwise(build, x)


@operator(onnx="Shrink")
def shrink(n: Node, x):
    """0 from -`lambd` to `lambd`, beyond them x moved by `bias` towards 0."""
    limit, bias = n.get("lambd", 0.5), n.get("bias", 0.0)

    def build(b, x):
        low = b.compare("olt", x, b.number(-limit))
        high = b.compare("ogt", x, b.number(limit))
        positive = b.select(high, b("sub", x, b.number(bias)), b.number(0.0))
        return b.select(low, b("add", x, b.number(bias)), positive)

    return n.elementwise(build, x)


def gelu(c: Context, x, tanh: bool):
    """x times the normal distribution's share below x; with `tanh` an approximation of that."""

    def build(b, x):
        if tanh:
            cube = b("mul", b("mul", x, x), x)
            y = b("add", x, b("mul", cube, b.number(0.044715)))
            share = b("math.tanh", b("mul", y, b.number(math.sqrt(2 / math.pi))))
        else:
            share = b("math.erf", b("mul", x, b.number(math.sqrt(0.5))))
        half = b("mul", x, b.number(0.5))
        return b("mul", half, b("add", share, b.number(1.0)))

    return c.elementwise(build, x)


@operator(torch="aten.gelu.default", onnx="Gelu", tflite="GELU")
def gelu_by_option(n: Node, x, approximate=None):
    """PyTorch and ONNX name the approximation, TensorFlow Lite has one."""
    approximate = approximate or n.get("approximate", "none")
    if approximate not in ("none", "tanh", True, False):
        raise UnsupportedOp(f"expected none or tanh as approximation, but got '{approximate}'")
    return gelu(n, x, approximate in ("tanh", True))


def _hard_sigmoid(b, x, alpha: float, beta: float):
    y = b("add", b("mul", x, b.number(alpha)), b.number(beta))
    return b("min", b("max", y, b.number(0.0)), b.number(1.0))


@operator(onnx="HardSigmoid")
def hard_sigmoid(n: Node, x):
    alpha, beta = n.get("alpha", 0.2), n.get("beta", 0.5)
    return n.elementwise(lambda b, x: _hard_sigmoid(b, x, alpha, beta), x)


@operator(onnx="HardSwish")
def hard_swish(n: Node, x):
    """x times a hard sigmoid of the slope 1 / 6, as the specification defines it."""
    return n.elementwise(lambda b, x: b("mul", x, _hard_sigmoid(b, x, 1 / 6, 0.5)), x)


@operator(tflite="HARD_SWISH")
def hard_swish_of_relu6(n: Node, x):
    """x relu6(x + 3) / 6, which rounds otherwise, as TensorFlow Lite's kernel computes it."""

    def build(b, x):
        moved = b("add", x, b.number(3.0))
        gate = b("min", b("max", moved, b.number(0.0)), b.number(6.0))
        return b("mul", b("mul", x, gate), b.number(float(np.float32(1 / 6))))

    return n.elementwise(build, x)


def affine(c: Context, x, alpha, beta, dim: int):
    """x * alpha + beta, the product and the sum rounded; vectors along one dimension."""
    return c.elementwise(
        lambda b, x, alpha, beta: b("add", b("mul", x, alpha), beta),
        x,
        c.channels(alpha, dim),
        c.channels(beta, dim),
    )


# Comparisons and choices.


def compare(c: Context, predicate: str, x, y):
    return c.elementwise(lambda b, x, y: b.compare(predicate, x, y), x, y)


register_all(
    [
        ("oeq", ("aten.eq.Scalar", "aten.eq.Tensor"), "Equal", "EQUAL"),
        ("une", ("aten.ne.Scalar", "aten.ne.Tensor"), (), "NOT_EQUAL"),
        ("ogt", ("aten.gt.Scalar", "aten.gt.Tensor"), "Greater", "GREATER"),
        ("oge", ("aten.ge.Scalar", "aten.ge.Tensor"), "GreaterOrEqual", "GREATER_EQUAL"),
        ("olt", ("aten.lt.Scalar", "aten.lt.Tensor"), "Less", "LESS"),
        ("ole", ("aten.le.Scalar", "aten.le.Tensor"), "LessOrEqual", "LESS_EQUAL"),
    ],
    lambda predicate: lambda n, x, y: compare(n, predicate, x, y),
)


@operator(torch="aten.isnan.default", onnx="IsNaN")
def is_nan(c: Context, x):
    return compare(c, "uno", x, x)


@operator(
    torch=(
        "aten.where.self", "aten.where.Scalar", "aten.where.ScalarSelf", "aten.where.ScalarOther",
    ),
    onnx="Where",
    tflite="SELECT_V2",
    integers=True,
    codes=True,
)  # fmt: skip
def where(c: Context, condition, x, y):
    """Between bits, too; a number beside them is 1 where it is not 0."""

    def build(b, bit, x, y):
        if c.type.element == "i1":
            x, y = b.as_bit(x), b.as_bit(y)
        return b.select(bit, x, y)

    return c.elementwise(build, condition, x, y)


def to_number(c: Context, x):
    """Bits and integers as what the result has."""
    return c.elementwise(lambda b, x: b.to_number(x), c.value(x), element=c.type.element)


@operator(tflite="CAST")
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
        return b("sub", x, b("mul", b("arith.floordivsi", x, y), y))

    return c.elementwise(build, x, number)


def to_integer(c: Context, x):
    """Towards zero; NaN and what is too large become the least integer, as on x86."""
    element = c.type.element
    most = 2.0 ** (int(element[1:]) - 1)

    def build(b, x):
        low, high = b.compare("oge", x, b.number(-most)), b.compare("olt", x, b.number(most))
        fits = b("arith.andi", low, high)
        return b.to_integer(b.select(fits, x, b.number(0.0)), fits, element)

    return c.elementwise(build, c.value(x), element="f32")


@operator(
    torch=("aten.expand.default", "aten.expand_as.default", "aten.broadcast_to.default"),
    onnx="Expand",
    tflite="BROADCAST_TO",
    integers=True,
    moves=True,
)
def expand(c: Context, x, *_, **__):
    return x if x.shape == c.shape else c.elementwise(lambda b, x: x, x)


def full_like(c: Context, x, number: float):
    """Nothing is read of x. A number that floats are chosen from is one in a body."""
    if c.type.element in INTEGERS:
        return c.writer.fill(number, c.type)

    return c.elementwise(lambda b, _: b.number(float(number)), x)


@operator(torch="aten.mish.default")
def mish(c: Context, x):
    return binary(c, "mul", x, unary(c, "math.tanh", softplus(c, x)))


def power(c: Context, x, exponent: float):
    """Small whole exponents by products, as torch and NumPy compute them."""
    if exponent in (2, 3):

        def build(b, x):
            y = b("mul", x, x)
            return y if exponent == 2 else b("mul", y, x)

        return c.elementwise(build, x)
    if exponent == 0.5:
        return unary(c, "math.sqrt", x)
    return binary(c, "math.powf", x, exponent)


@operator(
    torch=("aten.remainder.Scalar", "aten.remainder.Tensor"), tflite="FLOOR_MOD", integers=True
)
def remainder(c: Context, x, y):
    """Of the sign of y, as Python's."""
    if c.type.element in INTEGERS:
        return modulo(c, x, divisor(y))

    def build(b, x, y):
        zero = b.number(0.0)
        rest = b("arith.remf", x, y)
        # Without short cuts: rest != 0 and the signs differ.
        moved = b("add", rest, y)
        below = b("arith.andi", b.compare("olt", rest, zero), b.compare("ogt", y, zero))
        above = b("arith.andi", b.compare("ogt", rest, zero), b.compare("olt", y, zero))
        return b.select(b("arith.ori", below, above), moved, rest)

    return c.elementwise(build, x, y)


@operator(tflite="FLOOR_DIV", integers=True)
def divide_rounded(n: Node, x, y, rounding_mode="floor"):
    if n.type.element in INTEGERS:
        op = {"floor": "arith.floordivsi", "trunc": "arith.divsi"}[rounding_mode]
        return binary(n, op, x, divisor(y))
    quotient = binary(n, "arith.divf", x, y)
    return quotient if rounding_mode is None else unary(n, f"math.{rounding_mode}", quotient)


def logical(c: Context, op: str, *operands):
    """`op` of arith on bits; a number is 1 where it is not 0."""

    def build(b, *names):
        return functools.reduce(partial(b, op), map(b.as_bit, names))

    return c.elementwise(build, *operands)


register_all(
    [
        (
            f"arith.{name}i",
            (
                f"aten.logical_{name}.default",
                f"aten.bitwise_{name}.Tensor",
                f"aten.bitwise_{name}.Scalar",
                f"aten.__{name}__.Tensor",
            ),
            name.title(),
            () if name == "xor" else f"LOGICAL_{name.upper()}",
        )
        for name in ("and", "or", "xor")
    ],
    lambda op: lambda n, x, y: (binary if n.type.element in INTEGERS else logical)(n, op, x, y),
    integers=True,
)


@operator(torch="aten.logical_not.default", tflite="LOGICAL_NOT")
def logical_not(c: Context, x):
    return c.elementwise(lambda b, x: b.compare("oeq", x, b.number(0.0)), x)


@operator(onnx="Not")
def not_(n: Node, x):
    return n.elementwise(lambda b, x: b.negate(x), x)
