"""An operator as its function sees it, and the table of functions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import UnsupportedOp, mlir
from ...linalg.context import Context, Operand
from ...shapes import TensorType
from .load import Operator, Tensor

# An operator's name to the function that writes it: (op, *operands), None for one left out.
LOWERINGS: dict = {}

# Numbers of the schema's enumerations.
SAME, VALID = 0, 1
ACTIVATIONS = {0: None, 1: "RELU", 2: "RELU_N1_TO_1", 3: "RELU6", 4: "TANH", 5: "SIGN_BIT"}


def lowering(*names: str):
    def register(function):
        for name in names:
            LOWERINGS[name] = function
        return function

    return register


@dataclass
class Lite(Operand):
    """With its tensor. `doubled`: what a constant of shapes that depend on the size of the batch is
    for a batch of twice the size."""

    tensor: Tensor | None = None
    doubled: np.ndarray | None = None


@dataclass
class Op:
    """One operator: its options, the types and the tensors of its outputs."""

    operator: Operator
    writer: mlir.Writer
    types: list[TensorType]
    tensors: list[Tensor]

    @property
    def c(self) -> Context:
        """What writes the first output."""
        return Context(self.writer, self.types[0])

    def context(self, shape, element: str = "f32") -> Context:
        return Context(self.writer, TensorType(tuple(shape), element))

    def get(self, name: str, default=None):
        return self.operator.options.get(name, default)


def array(operand: Operand | None, what: str) -> np.ndarray:
    if operand is None or operand.constant is None:
        raise UnsupportedOp(f"expected constant {what}, but they are computed at run time")
    return operand.constant


def numbers(operand: Operand | None, what: str) -> list:
    return array(operand, what).reshape(-1).tolist()


def padding(mode: int, size, out, kernel, stride, dilation):
    """Before and behind, a list for each direction; SAME has the odd one behind."""
    if mode == VALID:
        return [0] * len(kernel), [0] * len(kernel)
    if mode != SAME:
        raise UnsupportedOp(f"expected SAME or VALID padding, but got {mode}")
    total = [
        max(0, (o - 1) * s + d * (k - 1) + 1 - i)
        for i, o, k, s, d in zip(size, out, kernel, stride, dilation, strict=True)
    ]
    return [t // 2 for t in total], [t - t // 2 for t in total]
