"""Elementwise operators of TensorFlow Lite."""

from __future__ import annotations

import numpy as np

from ..common.operators import elementwise as emit
from ..common.operators.context import Context
from ..common.shapes import UnsupportedOp
from .context import Op, lowering

# Fused into other operators, by their numbers in the schema.
ACTIVATIONS = {0: None, 1: "RELU", 2: "RELU_N1_TO_1", 3: "RELU6", 4: "TANH", 5: "SIGN_BIT"}


def activate(c: Context, x, activation: int):
    """The activation that is fused into an operator."""
    if activation not in ACTIVATIONS:
        raise UnsupportedOp(f"expected a fused activation of the schema, but got {activation}")
    name = ACTIVATIONS[activation]
    if name is None:
        return x
    if name == "TANH":
        return emit.unary(c, "math.tanh", x)
    if name == "SIGN_BIT":
        raise UnsupportedOp("expected a fused activation that is not SIGN_BIT")
    return _BOUNDED[name](c, x)


_BOUNDED = {
    "RELU": emit.relu,
    "RELU6": lambda c, x: emit.clamp(c, x, 0.0, 6.0),
    "RELU_N1_TO_1": lambda c, x: emit.clamp(c, x, -1.0, 1.0),
    "RELU_0_TO_1": lambda c, x: emit.clamp(c, x, 0.0, 1.0),
}


def _unary(name: str, emitter):
    @lowering(name)
    def lower(op: Op, x):
        return emitter(op.c, x)


for _name, _emitter in {
    **{
        name: lambda c, x, o=o: emit.unary(c, o, x)
        for name, o in {
            "ABS": "math.absf",
            "CEIL": "math.ceil",
            "COS": "math.cos",
            "EXP": "math.exp",
            "FLOOR": "math.floor",
            "LOG": "math.log",
            "NEG": "arith.negf",
            "ROUND": "math.roundeven",
            "SIN": "math.sin",
            "SQRT": "math.sqrt",
            "TANH": "math.tanh",
        }.items()
    },
    **_BOUNDED,
    "LOGISTIC": emit.sigmoid,
    "RSQRT": emit.rsqrt,
    "SQUARE": emit.square,
}.items():
    _unary(_name, _emitter)


@lowering("SIGN")
def sign(op: Op, x):
    """0 for zeros. NaN, of which the interpreter says 0, gives -1, as of all signs here: so Larq's,
    sign(sign(x) + 0.1), has two values."""

    def build(b, x):
        zero = b.number(0.0)
        positive = b.select(b.compare("ogt", x, zero), b.number(1.0), zero)
        return b.select(b.compare("oge", x, zero), positive, b.number(-1.0))

    return op.c.elementwise(build, x)


def _binary(name: str, operation: str):
    @lowering(name)
    def lower(op: Op, x, y):
        result = emit.binary(op.c, operation, x, y)
        return activate(op.c, result, op.activation)


for _name, _operation in {
    "ADD": "arith.addf",
    "SUB": "arith.subf",
    "MUL": "arith.mulf",
    "DIV": "arith.divf",
    "MAXIMUM": "arith.maximumf",
    "MINIMUM": "arith.minimumf",
    "POW": "math.powf",
}.items():
    _binary(_name, _operation)


@lowering("FLOOR_DIV")
def floor_div(op: Op, x, y):
    if op.c.type.element == "f32":
        return emit.unary(op.c, "math.floor", emit.binary(op.c, "arith.divf", x, y))
    return op.c.elementwise(lambda b, x, y: b("arith.floordivsi", x, y), x, emit.divisor(y))


@lowering("FLOOR_MOD")
def floor_mod(op: Op, x, y):
    if op.c.type.element == "f32":
        return emit.remainder(op.c, x, y)
    return emit.modulo(op.c, x, emit.divisor(y))


@lowering("ADD_N")
def add_all(op: Op, *operands):
    return emit.binary_of_all(op.c, "arith.addf", operands)


@lowering("SQUARED_DIFFERENCE")
def squared_difference(op: Op, x, y):
    return emit.square(op.c, emit.binary(op.c, "arith.subf", x, y))


@lowering("LEAKY_RELU")
def leaky_relu(op: Op, x):
    return emit.leaky_relu(op.c, x, op.get("Alpha", 0.0))


@lowering("PRELU")
def prelu(op: Op, x, slope):
    return emit.leaky_relu(op.c, x, slope)


@lowering("ELU")
def elu(op: Op, x):
    return emit.elu(op.c, x, 1.0)


@lowering("GELU")
def gelu(op: Op, x):
    return emit.gelu(op.c, x, bool(op.get("Approximate", False)))


@lowering("HARD_SWISH")
def hard_swish(op: Op, x):
    def build(b, x):
        moved = b("arith.addf", x, b.number(3.0))
        gate = b("arith.minimumf", b("arith.maximumf", moved, b.number(0.0)), b.number(6.0))
        return b("arith.mulf", b("arith.mulf", x, gate), b.number(float(np.float32(1 / 6))))

    return op.c.elementwise(build, x)


def _comparison(name: str, predicate: str):
    @lowering(name)
    def lower(op: Op, x, y):
        return emit.compare(op.c, predicate, x, y)


for _name, _predicate in {
    "EQUAL": "oeq", "NOT_EQUAL": "une", "GREATER": "ogt", "GREATER_EQUAL": "oge", "LESS": "olt",
    "LESS_EQUAL": "ole",
}.items():  # fmt: skip
    _comparison(_name, _predicate)


@lowering("LOGICAL_AND", "LOGICAL_OR")
def logical(op: Op, x, y):
    return emit.logical(op.c, f"arith.{op.operator.name[8:].lower()}i", x, y)


@lowering("LOGICAL_NOT")
def logical_not(op: Op, x):
    return emit.logical_not(op.c, x)


@lowering("SELECT", "SELECT_V2")
def select(op: Op, condition, x, y):
    return emit.where(op.c, condition, x, y)


@lowering("CAST")
def cast(op: Op, x):
    return emit.cast(op.c, x)
