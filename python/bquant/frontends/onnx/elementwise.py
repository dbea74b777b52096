"""Elementwise operators of ONNX."""

from __future__ import annotations

import numpy as np

from ..common.operators import elementwise as emit
from ..common.operators.context import constant
from ..common.shapes import INTEGERS, TensorType, UnsupportedOp
from .context import Node, array, lowering
from .quantize import CODES


def _wrapped(n: Node, whole, value):
    """Integers of i32, which `whole` writes, as codes."""
    low, high = CODES[n.dtype]

    def build(b, x):
        moved = b("arith.andi", b("arith.subf", x, b.number(low)), b.number(high - low))
        return b("arith.addf", moved, b.number(low))

    return emit.to_number(n.c, whole.elementwise(build, value))


def _in_integers(n: Node, emitter, *operands):
    """What codes are computed of wraps in their type; other types as they are."""
    if n.dtype not in CODES:
        return emitter(n.c, *operands)
    whole = n.context(TensorType(n.c.shape, "i32"))

    def integers(x):
        if x.number is not None:
            return constant(x.constant.astype(np.int32), x.hint)
        return emit.cast(n.context(TensorType(tuple(x.shape), "i32")), x)

    return _wrapped(n, whole, emitter(whole, *map(integers, operands)))


def _plain(name: str, emitter):
    of_integers = name in ("Abs", "Neg", "Relu", "Sign")

    @lowering(name, integers=of_integers, codes=of_integers)
    def lower(n: Node, x):
        return _in_integers(n, lambda c, x: emitter(c, x), x)


for _name, _op in {
    "Abs": "math.absf",
    "Atan": "math.atan",
    "Ceil": "math.ceil",
    "Cos": "math.cos",
    "Erf": "math.erf",
    "Exp": "math.exp",
    "Floor": "math.floor",
    "Log": "math.log",
    "Neg": "arith.negf",
    "Round": "math.roundeven",
    "Sin": "math.sin",
    "Sqrt": "math.sqrt",
    "Tan": "math.tan",
    "Tanh": "math.tanh",
}.items():
    _plain(_name, lambda c, x, op=_op: emit.unary(c, op, x))

for _name, _emitter in {
    "Reciprocal": emit.reciprocal,
    "Relu": emit.relu,
    "Sigmoid": emit.sigmoid,
    "Sign": emit.sign,
    "Softplus": emit.softplus,
}.items():
    _plain(_name, _emitter)


def _binary(name: str, op: str):
    """Of any number of operands, from the first on."""

    @lowering(name, integers=True, codes=name in ("Add", "Max", "Min", "Mul", "Sub"))
    def lower(n: Node, *operands):
        if n.dtype in CODES:
            return _in_integers(n, lambda c, *o: emit.binary_of_all(c, op, o), *operands)
        if op == "arith.divf" and n.c.type.element in INTEGERS:
            return emit.binary(n.c, "arith.divsi", operands[0], emit.divisor(operands[1]))
        return emit.binary_of_all(n.c, op, operands)


for _name, _op in {
    "Add": "arith.addf",
    "Sub": "arith.subf",
    "Mul": "arith.mulf",
    "Div": "arith.divf",
    "Min": "arith.minimumf",
    "Max": "arith.maximumf",
    "Sum": "arith.addf",
}.items():
    _binary(_name, _op)


@lowering("Mod", integers=True)
def mod(n: Node, x, y):
    if n.c.type.element in INTEGERS:
        op = "arith.remsi" if n.get("fmod", 0) else "arith.floordivsi"
        divisor = emit.divisor(y)
        if n.get("fmod", 0):
            return emit.binary(n.c, op, x, divisor)
        return emit.modulo(n.c, x, divisor)
    return emit.binary(n.c, "arith.remf", x, y)


@lowering("Mean")
def mean(n: Node, *operands):
    total = emit.binary_of_all(n.c, "arith.addf", operands)
    return emit.binary(n.c, "arith.divf", total, float(len(operands)))


@lowering("IsNaN")
def is_nan(n: Node, x):
    return emit.compare(n.c, "uno", x, x)


@lowering("IsInf")
def is_infinite(n: Node, x):
    signs = [s for s, name in ((1, "detect_positive"), (-1, "detect_negative")) if n.get(name, 1)]

    def build(b, x):
        found = [b.compare("oeq", x, b.number(s * float("inf"))) for s in signs]
        if not found:
            return b.compare("one", x, x)
        return found[0] if len(found) == 1 else b("arith.ori", *found)

    return n.c.elementwise(build, x)


@lowering("Trilu", integers=True)
def triangle(n: Node, x, k=None):
    """Zeros below a diagonal, or above it."""
    shift, rank = 0 if k is None else int(array(k, "diagonals").item()), len(n.c.shape)

    def build(b, x):
        upper = n.get("upper", 1)
        beyond = b.is_beyond(rank - 1, rank - 2, shift if upper else shift + 1)
        zero = emit.as_bit(b, b.number(0)) if b.elements[x] == "i1" else b.number(0)
        kept = (x, zero) if upper else (zero, x)
        return b.select(beyond, *kept)

    return n.c.elementwise(build, x)


@lowering("Pow", integers=True)
def power(n: Node, x, y):
    if n.c.type.element in INTEGERS:
        exponent = y.constant.item() if y.number is not None and y.size == 1 else None
        if exponent not in (2, 3):
            raise UnsupportedOp("expected integers to the power of 2 or 3")
        return emit.power(n.c, x, exponent)
    if y.number is not None and y.size == 1:
        exponent = y.constant.item()
        if exponent == 2:
            return emit.square(n.c, x)
        if exponent == 0.5:
            return emit.unary(n.c, "math.sqrt", x)
    return emit.binary(n.c, "math.powf", x, y)


# Activations.


@lowering("Clip", integers=True, codes=True)
def clip(n: Node, x, low=None, high=None):
    return emit.clamp(n.c, x, low, high)


@lowering("LeakyRelu")
def leaky_relu(n: Node, x):
    return emit.leaky_relu(n.c, x, n.get("alpha", 0.01))


@lowering("PRelu")
def prelu(n: Node, x, slope):
    return emit.leaky_relu(n.c, x, slope)


def _hard_sigmoid(b, x, alpha: float, beta: float):
    y = b("arith.addf", b("arith.mulf", x, b.number(alpha)), b.number(beta))
    return b("arith.minimumf", b("arith.maximumf", y, b.number(0.0)), b.number(1.0))


@lowering("HardSigmoid")
def hard_sigmoid(n: Node, x):
    alpha, beta = n.get("alpha", 0.2), n.get("beta", 0.5)
    return n.c.elementwise(lambda b, x: _hard_sigmoid(b, x, alpha, beta), x)


@lowering("HardSwish")
def hard_swish(n: Node, x):
    return n.c.elementwise(lambda b, x: b("arith.mulf", x, _hard_sigmoid(b, x, 1 / 6, 0.5)), x)


@lowering("Elu")
def elu(n: Node, x):
    return emit.elu(n.c, x, n.get("alpha", 1.0))


@lowering("Selu")
def selu(n: Node, x):
    alpha, gamma = n.get("alpha", 1.6732632423543772), n.get("gamma", 1.0507009873554805)
    return emit.binary(n.c, "arith.mulf", emit.elu(n.c, x, alpha), gamma)


@lowering("Gelu")
def gelu(n: Node, x):
    approximate = n.get("approximate", "none")
    if approximate not in ("none", "tanh"):
        raise UnsupportedOp(f"expected none or tanh as approximation, but got '{approximate}'")
    return emit.gelu(n.c, x, approximate == "tanh")


@lowering("BatchNormalization")
def batch_norm(n: Node, x, scale, bias, mean, var):
    """x * alpha + beta, with alpha and beta rounded at each step, as runtimes have them."""
    if n.get("training_mode", 0) or any(n.types[1:]):
        raise UnsupportedOp("expected running statistics, but got those of training")
    epsilon = n.get("epsilon", 1e-5)
    if any(o.constant is None for o in (scale, bias, mean, var)):
        return emit.affine(n.c, x, *_computed_affine(n, scale, bias, mean, var, epsilon), 1)
    scale, bias, mean, var = (array(o, "parameters") for o in (scale, bias, mean, var))
    with np.errstate(all="ignore"):
        alpha = scale / np.sqrt(var + np.float32(epsilon))
        beta = bias - mean * alpha
    return emit.affine(n.c, x, alpha, beta, 1)


def _computed_affine(n: Node, scale, bias, mean, var, epsilon: float):
    """Alpha and beta of parameters that are known at run time."""
    c = n.context(TensorType(tuple(scale.shape)))

    def deviation(b, scale, var):
        return b("arith.divf", scale, b("math.sqrt", b("arith.addf", var, b.number(epsilon))))

    def shift(b, bias, mean, alpha):
        return b("arith.subf", bias, b("arith.mulf", mean, alpha))

    alpha = c.elementwise(deviation, scale, var)
    beta = c.elementwise(shift, bias, mean, alpha)
    return alpha, beta


# Comparisons and choices.


def _comparison(name: str, predicate: str):
    @lowering(name)
    def lower(n: Node, x, y):
        return emit.compare(n.c, predicate, x, y)


for _name, _predicate in {
    "Equal": "oeq", "Greater": "ogt", "GreaterOrEqual": "oge", "Less": "olt", "LessOrEqual": "ole",
}.items():  # fmt: skip
    _comparison(_name, _predicate)


def _logical(name: str, op: str):
    @lowering(name)
    def lower(n: Node, x, y):
        return n.c.elementwise(lambda b, x, y: b(op, x, y), x, y)


for _name, _op in {"And": "arith.andi", "Or": "arith.ori", "Xor": "arith.xori"}.items():
    _logical(_name, _op)


@lowering("Not")
def negate(n: Node, x):
    return n.c.elementwise(lambda b, x: b.negate(x), x)


@lowering("Where", integers=True, codes=True)
def where(n: Node, condition, x, y):
    return emit.where(n.c, condition, x, y)


@lowering("Cast", "CastLike", integers=True, codes=True)
def cast(n: Node, x, *_):
    return emit.cast(n.c, x) if n.dtype not in CODES else _to_code(n, x)


def _to_code(n: Node, x):
    """What is no code loses its upper bits, as an integer does."""
    low, high = CODES[n.dtype]
    if x.dtype in CODES and low <= CODES[x.dtype][0] and CODES[x.dtype][1] <= high:
        return x
    whole = n.context(TensorType(n.c.shape, "i32"))
    return _wrapped(n, whole, emit.cast(whole, x))
