"""Elementwise operators of TensorFlow Lite."""

from __future__ import annotations

from ..common.operators import elementwise as emit
from ..common.operators.context import Context
from ..common.shapes import UnsupportedOp
from ..common.table import TFLITE, operator
from .context import Op

# Fused into other operators, by their numbers in the schema.
ACTIVATIONS = {0: None, 1: "RELU", 2: "RELU_N1_TO_1", 3: "RELU6", 4: "TANH", 5: "SIGN_BIT"}


def activate(c: Context, x, activation: int):
    """The activation that is fused into an operator."""
    if activation not in ACTIVATIONS:
        raise UnsupportedOp(f"expected a fused activation of the schema, but got {activation}")
    name = ACTIVATIONS[activation]
    if name is None:
        return x
    if name == "SIGN_BIT":
        raise UnsupportedOp("expected a fused activation that is not SIGN_BIT")
    return TFLITE[name].write(c, x)


@operator(tflite="SELECT", integers=True, codes=True)
def select(op: Op, condition, x, y):
    """A condition of one dimension is that of the first one of the result: it chooses rows."""
    rank = len(op.shape)
    if len(condition.shape) == 1 and rank > 1:
        shape = (*condition.shape, *[1] * (rank - 1))
        condition = op.writer.reshape(op.value(condition), shape)
    return emit.where(op, condition, x, y)


@operator(tflite="SQUARED_DIFFERENCE")
def squared_difference(op: Op, x, y):
    return emit.square(op, emit.binary(op, "sub", x, y))
