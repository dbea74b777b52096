"""Codes of int8 and uint8: (code - zero) * scale, as floats on these.

Behind each operator a result is the nearest value that has a code, one in the middle the one away
from 0, as TensorFlow Lite rounds. It sums codes in integers and scales the sum by an integer and a
shift; here the sums are the same integers, and their scale is a float. So a result within rounding
of the middle of two codes may be the other one.
"""

from __future__ import annotations

import numpy as np

from ... import UnsupportedOp, mlir
from ...linalg.context import Context
from .context import Op, lowering
from .load import Tensor

CODES = {"int8": (-128, 127), "uint8": (0, 255)}
# Of inputs and outputs.
ELEMENTS = {"int8": "i8", "uint8": "ui8"}

# What moves elements, and so keeps their codes where it has those of its operand.
MOVES = {
    "BROADCAST_TO", "DEPTH_TO_SPACE", "DEQUANTIZE", "EXPAND_DIMS", "GATHER", "MAX_POOL_2D",
    "MIRROR_PAD", "PAD", "QUANTIZE", "REDUCE_MAX", "REDUCE_MIN", "RELU", "RESHAPE",
    "RESIZE_NEAREST_NEIGHBOR", "REVERSE_V2", "SLICE", "SPACE_TO_DEPTH", "SPLIT", "SPLIT_V",
    "SQUEEZE", "STRIDED_SLICE", "TILE", "TRANSPOSE", "UNPACK",
}  # fmt: skip


def is_coded(tensor: Tensor) -> bool:
    return tensor.type in CODES and tensor.scale is not None


def keeps_codes(op: Op, operands, tensor: Tensor) -> bool:
    """Whether the results of an operator are codes of their tensor, unrounded."""
    if op.operator.name not in MOVES or op.activation:
        return False
    given = next((o.tensor for o in operands if o is not None and len(o.shape) > 1), None)
    return given is not None and is_coded(given) and _only(given) == _only(tensor)


def decode(tensor: Tensor) -> np.ndarray:
    """The floats of a constant's codes."""
    scale, zero = tensor.scale, tensor.zero.astype(np.float32)
    if scale.size > 1:
        shape = [-1 if d == tensor.axis else 1 for d in range(len(tensor.shape))]
        scale = scale.reshape(shape)
        zero = zero.reshape(shape) if zero.size > 1 else zero
    return (tensor.array.astype(np.float32) - zero) * scale


def _only(tensor: Tensor) -> tuple[float, float]:
    """The scale and the zero point of a tensor that is computed: those of whole numbers where the
    file says none."""
    if tensor.scale is None:
        return 1.0, 0.0
    if tensor.scale.size != 1:
        raise UnsupportedOp(f"expected one scale for '{tensor.name}', but got {tensor.scale.size}")
    return float(tensor.scale[0]), float(tensor.zero[0])


def to_codes(c: Context, x, tensor: Tensor):
    """The nearest value that has a code."""
    low, high = CODES[tensor.type]
    scale, zero = _only(tensor)

    def build(b, x):
        code = b("math.round", b("arith.divf", x, b.number(scale)))
        code = b("arith.addf", code, b.number(zero))
        code = b("arith.minimumf", b("arith.maximumf", code, b.number(low)), b.number(high))
        return b("arith.mulf", b("arith.subf", code, b.number(zero)), b.number(scale))

    return c.elementwise(build, x)


def whole(c: Context, x, tensor: Tensor):
    """The codes, as floats, of values that have some."""
    scale, zero = _only(tensor)

    def build(b, x):
        code = b("math.round", b("arith.divf", x, b.number(scale)))
        return b("arith.addf", code, b.number(zero))

    return c.elementwise(build, x)


def values(c: Context, codes, tensor: Tensor):
    """What whole floats stand for."""
    scale, zero = _only(tensor)
    return c.elementwise(
        lambda b, x: b("arith.mulf", b("arith.subf", x, b.number(zero)), b.number(scale)), codes
    )


def from_argument(c: Context, argument: mlir.Value, tensor: Tensor):
    """An input of codes as what they stand for."""
    return values(c, c.writer.from_codes(argument), tensor)


def to_result(c: Context, x, tensor: Tensor):
    """An output of codes."""
    return c.writer.to_codes(whole(c, x, tensor), ELEMENTS[tensor.type])


@lowering("QUANTIZE", "DEQUANTIZE")
def same(op: Op, x):
    """The reader rounds what has codes."""
    return x
