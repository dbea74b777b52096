"""What the lowerings of ATen operations have in common: their table, operands, broadcasting."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch

from ... import UnsupportedOp, mlir
from ...shapes import Batch, TensorType, element_type

# ATen's name to the function that writes it: (context, *arguments as in ATen's schema).
LOWERINGS: dict = {}

# Operations that give back their first operand.
ALIASES = {
    "aten.alias.default",
    "aten.clone.default",
    "aten.contiguous.default",
    "aten.detach.default",
    "aten.dropout.default",
    "aten.feature_dropout.default",
    "aten.lift_fresh_copy.default",
}

# Where the quantization of a constant begins: these and what follows are written out.
SIGNS = {
    "aten.sign.default",
    "aten.ge.Scalar",
    "aten.gt.Scalar",
    "aten.le.Scalar",
    "aten.lt.Scalar",
    "aten.eq.Scalar",
    "bquant.quantize.default",
    "bquant.quantize_by_rank.default",
    "bquant.filter_of_bytes.default",
}


def lowering(*names: str):
    def register(function):
        for name in names:
            LOWERINGS[name] = function
        return function

    return register


@dataclass
class Operand:
    """A tensor of the graph: a value of the program, a constant, or (quantized filters, with
    `signs`) a constant that is written out as operations all the same."""

    shape: tuple[int | Batch, ...]
    element: str
    value: mlir.Value | None = None
    constant: torch.Tensor | None = None
    hint: str = ""  # the parameter a constant comes from
    signs: bool = False
    write: Callable[[], mlir.Value | Operand] | None = None  # where `signs`: writes the value

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class Context:
    """One operation: its result type, and how to write it."""

    def __init__(self, writer: mlir.Writer, type_: TensorType):
        self.writer = writer
        self.type = type_

    @property
    def shape(self) -> tuple[int | Batch, ...]:
        return self.type.shape

    def value(self, operand: Operand) -> mlir.Value:
        """The operand as a tensor of the program."""
        if operand.value is None:
            if operand.signs:
                result = operand.write()
                operand.value = self.value(result) if isinstance(result, Operand) else result
            else:
                operand.value = self._constant(operand.constant, operand.hint)
        return operand.value

    def _constant(self, tensor: torch.Tensor, hint: str) -> mlir.Value:
        if tensor.dtype == torch.float64:
            tensor = tensor.float()
        # A copy: what `Network.save` writes later is what was compiled, whatever
        # happens to the model in between.
        return self.writer.constant(tensor.contiguous().numpy().copy(), hint)

    def elementwise(self, build, *operands, type_: TensorType | None = None) -> mlir.Value:
        """One linalg.generic over the broadcast operands: Operands, values or numbers."""
        type_ = type_ or self.type
        return self.writer.elementwise(build, [self._broadcast(o, type_) for o in operands], type_)

    def _broadcast(self, operand, type_: TensorType):
        """A number, or a value and the dimensions of `type_` that it has."""
        if isinstance(operand, (int, float, Batch)):
            return float(operand)
        rank = len(type_.shape)
        if isinstance(operand, Operand) and operand.constant is not None and not operand.signs:
            tensor = operand.constant
            if tensor.dtype != torch.bool:
                tensor = tensor.float()
                if tensor.numel() == 1:
                    return tensor.item()
            if tuple(tensor.shape) == type_.shape and tensor.dtype == operand.constant.dtype:
                return self.value(operand), list(range(rank))
            # A parameter of channels is a vector, however torch has shaped it.
            first = rank - tensor.dim()
            dims = [first + i for i, size in enumerate(tensor.shape) if size != 1]
            vector = tensor.reshape([size for size in tensor.shape if size != 1])
            return self._constant(vector, operand.hint), dims
        value = self.value(operand) if isinstance(operand, Operand) else operand
        first = rank - len(value.shape)
        dims = [first + i for i, size in enumerate(value.shape) if size == type_.shape[first + i]]
        return self.writer.reshape(value, [type_.shape[d] for d in dims]), dims

    def channels(self, tensor: torch.Tensor | Operand, dim: int):
        """A vector along one dimension of the result, as an operand of `elementwise`."""
        operand = tensor if isinstance(tensor, Operand) else constant(tensor)
        shape = [1] * len(self.shape)
        shape[dim] = operand.size
        if operand.constant is not None and not operand.signs:
            return constant(operand.constant.reshape(shape), operand.hint)
        return self.writer.reshape(self.value(operand), shape)


def constant(tensor: torch.Tensor, hint: str = "constant") -> Operand:
    return Operand(tuple(tensor.shape), element_type(tensor.dtype), constant=tensor, hint=hint)


def pair(value) -> tuple[int, int]:
    """ATen's int[2], where one entry stands for both."""
    if isinstance(value, int):
        return value, value
    values = tuple(value)
    if len(values) not in (1, 2):
        raise UnsupportedOp(f"expected one or two numbers, but got {list(values)}")
    return values if len(values) == 2 else values * 2


def positive(dim: int, rank: int) -> int:
    return dim + rank if dim < 0 else dim
