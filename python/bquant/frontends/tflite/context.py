"""An operator as its function sees it, and the table of functions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common import mlir
from ..common.operators.context import Context, Operand
from ..common.shapes import TensorType, UnsupportedOp
from .load import Operator, Tensor

# An operator's name to the function that writes it: (op, *operands), None for one left out.
LOWERINGS: dict = {}

# Numbers of the schema's enumerations.
SAME, VALID = 0, 1


def lowering(*names: str):
    def register(function):
        for name in names:
            LOWERINGS[name] = function
        return function

    return register


@dataclass
class Lite(Operand):
    """With its tensor. `codes`: the signed bytes that a value is decoded from where floats are
    wanted. `doubled`: what a constant of shapes that depend on the size of the batch is for a batch
    of twice the size."""

    tensor: Tensor | None = None
    codes: mlir.Value | None = None
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
        """An option; without a default the file has to have it."""
        value = self.operator.options.get(name, default)
        if value is None:
            raise ValueError(f"no option {name}")
        return value

    @property
    def zero(self) -> float:
        """What stands for 0 in the first output, which may be one of signed bytes."""
        return point(self.tensors[0]) if self.types[0].element == "i8" else 0.0

    @property
    def activation(self) -> int:
        """The number of the fused one, 0 for none."""
        return self.get("FusedActivationFunction", 0)


def point(tensor: Tensor) -> int:
    """The zero point of codes as signed bytes, which an unsigned one is less 128."""
    return int(tensor.zero[0]) - (128 if tensor.type == "uint8" else 0)


def array(operand: Operand | None, what: str) -> np.ndarray:
    if operand is None or operand.constant is None:
        raise UnsupportedOp(f"expected constant {what}, but they are computed at run time")
    return operand.constant


def numbers(operand: Operand | None, what: str) -> list:
    return array(operand, what).reshape(-1).tolist()


def window(mode: int, size, out, kernel, stride, dilation=(1, 1)):
    """The padding before and behind, a list for each direction. Of an odd number SAME has the last
    one behind."""
    if mode not in (SAME, VALID):
        raise UnsupportedOp(f"expected SAME or VALID padding, but got {mode}")
    numbers = [*kernel, *stride, *dilation]
    if min(numbers) < 1:
        raise ValueError(f"windows, strides and dilations of at least 1, but got {numbers}")
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]
    taken = size if mode == SAME else [i - r + 1 for i, r in zip(size, reach, strict=True)]
    expected = [-(-i // s) for i, s in zip(taken, stride, strict=True)]
    if list(out) != expected:
        raise ValueError(f"{expected} windows, but a result of {list(out)}")
    if mode == VALID:
        return [0] * len(kernel), [0] * len(kernel)
    total = [
        max(0, (o - 1) * s + r - i) for i, o, r, s in zip(size, out, reach, stride, strict=True)
    ]
    if any(t > 2 * i + 16 for t, i in zip(total, size, strict=True)):
        raise UnsupportedOp(f"expected windows near the size of the image, but got {reach}")
    return [t // 2 for t in total], [t - t // 2 for t in total]
