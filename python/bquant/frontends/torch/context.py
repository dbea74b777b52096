"""What ATen operations have in common, and torch's constants."""

from __future__ import annotations

import torch

from ..common.operators import context as linalg
from ..common.operators.context import Operand
from ..common.shapes import UnsupportedOp, element_type

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
}


def pair(value) -> tuple[int, int]:
    """ATen's int[2], where one entry stands for both."""
    if isinstance(value, int):
        return value, value
    values = tuple(value)
    if len(values) not in (1, 2):
        raise UnsupportedOp(f"expected one or two numbers, but got {list(values)}")
    return values if len(values) == 2 else values * 2


def constant(tensor: torch.Tensor, hint: str = "constant") -> Operand:
    try:
        if tensor.dtype in (torch.int8, torch.uint8):  # codes
            array = tensor.detach().cpu().numpy()
            unsigned = tensor.dtype == torch.uint8
            shape = tuple(array.shape)
            return Operand(shape, "f32", constant=array, hint=hint, unsigned=unsigned)
        if tensor.dtype != torch.float64:
            element_type(tensor.dtype)  # NumPy has no words for some others
        return linalg.constant(tensor.detach().cpu().numpy(), hint)
    except TypeError as error:
        raise UnsupportedOp(f"constant '{hint}': {error}") from None


def to_torch(operand: Operand) -> torch.Tensor:
    """A constant, as torch takes it."""
    return torch.from_numpy(operand.constant)
