"""An operator as its function sees it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ..common import mlir
from ..common.operators.context import Node, Operand
from ..common.shapes import UnsupportedOp
from ..common.windows import reach, same_padding
from .load import Operator, Tensor

# Numbers of the schema's enumerations.
SAME, VALID = 0, 1


@dataclass
class Lite(Operand):
    """With its tensor. `codes`: the signed bytes that a value is decoded from where floats are
    wanted. `doubled`: what a constant of shapes that depend on the size of the batch is for a batch
    of twice the size."""

    tensor: Tensor | None = None
    codes: mlir.Value | None = None
    doubled: np.ndarray | None = None


class Op(Node):
    """One operator, and the tensors of its outputs."""

    keeps_without_axes = True

    def __init__(self, operator: Operator, writer, types, tensors: list[Tensor]):
        super().__init__(writer, types, operator.name, operator.options)
        self.operator, self.tensors = operator, tensors

    def get(self, name: str, default=None):
        """An option, as the schema's `FusedName` or ONNX' `fused_name`; without a default the file
        has to have it."""
        if name not in self.options:
            name = re.sub(r"(?:^|_)([a-z])", lambda m: m[1].upper(), name)
        value = self.options.get(name, default)
        if value is None:
            raise ValueError(f"no option {name}")
        return value

    @property
    def zero(self) -> float:
        """What stands for 0 in the first output, which may be one of signed bytes."""
        return point(self.tensors[0]) if self.types[0].element == "i8" else 0.0

    def windows(self, x, kernel):
        """Strides, the padding before and behind, and dilations, a list each."""
        stride = [self.get("StrideH"), self.get("StrideW")]
        dilation = [self.get("DilationHFactor", 1), self.get("DilationWFactor", 1)]
        size, out = x.shape[1:3], self.shape[1:3]
        low, high = window(self.get("Padding"), size, out, kernel, stride, dilation)
        return stride, low, high, dilation

    @property
    def activation(self) -> int:
        """The number of the fused one, 0 for none."""
        return self.get("FusedActivationFunction", 0)


def point(tensor: Tensor) -> int:
    """The zero point of codes as signed bytes, which an unsigned one is less 128."""
    return int(tensor.zero[0]) - (128 if tensor.type == "uint8" else 0)


def window(mode: int, size, out, kernel, stride, dilation=(1, 1)):
    """The padding before and behind, a list for each direction. Of an odd number SAME has the last
    one behind."""
    if mode not in (SAME, VALID):
        raise UnsupportedOp(f"expected SAME or VALID padding, but got {mode}")
    numbers = [*kernel, *stride, *dilation]
    if min(numbers) < 1:
        raise ValueError(f"windows, strides and dilations of at least 1, but got {numbers}")
    spans = reach(kernel, dilation)
    taken = size if mode == SAME else [i - r + 1 for i, r in zip(size, spans, strict=True)]
    expected = [-(-i // s) for i, s in zip(taken, stride, strict=True)]
    if list(out) != expected:
        raise ValueError(f"{expected} windows, but a result of {list(out)}")
    if mode == VALID:
        return [0] * len(kernel), [0] * len(kernel)
    low, high = same_padding(size, out, kernel, stride, dilation)
    if any(a + b > 2 * i + 16 for a, b, i in zip(low, high, size, strict=True)):
        raise UnsupportedOp(f"expected windows near the size of the image, but got {spans}")
    return low, high
