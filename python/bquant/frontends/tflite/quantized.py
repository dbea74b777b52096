"""Codes of int8 and uint8, which stand for (code - zero) * scale.

The program has them as signed bytes; an unsigned one is its code less 128. What only moves elements
moves bytes, and `integers` has the operators that are sums of integers. All others compute floats
of what codes stand for; their result is the nearest value that has a code, one in the middle the
one away from 0.
"""

from __future__ import annotations

import numpy as np

from ..common import mlir
from ..common.operators import integers
from ..common.operators.context import Context
from ..common.shapes import TensorType, UnsupportedOp
from ..common.table import operator
from .context import Lite, Op, point
from .load import Tensor

CODES = {"int8": (-128, 127), "uint8": (0, 255)}
# Of inputs and outputs.
ELEMENTS = {"int8": "i8", "uint8": "ui8"}
BYTE = "i8"

# What moves elements, and so codes, where those of the result stand for the same.
MOVES = {
    "CONCATENATION", "DEPTH_TO_SPACE", "EXPAND_DIMS", "MAX_POOL_2D", "MIRROR_PAD", "PACK", "PAD",
    "PADV2", "RESHAPE", "RESIZE_NEAREST_NEIGHBOR", "REVERSE_V2", "SLICE", "SPACE_TO_DEPTH", "SPLIT",
    "SPLIT_V", "SQUEEZE", "STRIDED_SLICE", "TILE", "TRANSPOSE", "UNPACK",
}  # fmt: skip
# What in floats has one of its operands as result.
CHOICES = {"BROADCAST_TO", "GATHER", "REDUCE_MAX", "REDUCE_MIN", "RELU"}


def is_coded(tensor: Tensor) -> bool:
    return tensor.type in CODES and tensor.scale is not None


def moves_codes(op: Op, operands) -> bool:
    """Whether an operator is one of the codes of its operands."""
    return op.operator.name in MOVES and _keeps(op, [o for o in operands if _has_codes(o)])


def keeps_codes(op: Op, operands) -> bool:
    """Whether the results in floats have codes as they are."""
    given = [o for o in operands if _has_codes(o)]
    return op.operator.name in CHOICES and _keeps(op, given[:1])


def _has_codes(operand: Lite | None) -> bool:
    return operand is not None and operand.tensor is not None and is_coded(operand.tensor)


def _keeps(op: Op, operands) -> bool:
    """Whether codes of the operands stand for the same as those of the results."""
    tensors = [*(o.tensor for o in operands), *op.tensors]
    return bool(operands) and not op.activation and _are_alike(tensors)


def _are_alike(tensors: list[Tensor]) -> bool:
    return all(is_coded(t) for t in tensors) and len({(t.type, *only(t)) for t in tensors}) == 1


def move(op: Op, operands, lower) -> list[Lite]:
    """An operator on bytes."""
    types = [TensorType(type_.shape, BYTE) for type_ in op.types]
    given = [_bytes(op.writer, o) if _has_codes(o) else o for o in operands]
    results = lower(Op(op.operator, op.writer, types, op.tensors), *given)
    results = results if isinstance(results, list) else [results]
    values = [op.value(result) for result in results]
    return [of_codes(op.writer, *made) for made in zip(values, op.tensors, strict=True)]


def _bytes(writer: mlir.Writer, operand: Lite) -> Lite:
    array = None if operand.constant is None else constant_codes(operand)
    return Lite(operand.shape, BYTE, value=codes(writer, operand), constant=array)


def decode(tensor: Tensor) -> np.ndarray:
    """The floats of a constant's codes."""
    scale, zero = tensor.scale, tensor.zero.astype(np.float32)
    if scale.size > 1:
        shape = [-1 if d == tensor.axis else 1 for d in range(len(tensor.shape))]
        scale = scale.reshape(shape)
        zero = zero.reshape(shape) if zero.size > 1 else zero
    return (tensor.array.astype(np.float32) - zero) * scale


def constant_codes(operand: Lite) -> np.ndarray:
    """The signed bytes of a constant of one scale, or of one that the file has."""
    tensor = operand.tensor
    if tensor.array is not None:
        whole = tensor.array.astype(np.int32) - (128 if tensor.type == "uint8" else 0)
    else:
        scale, _ = only(tensor)
        whole = np.rint(operand.constant / np.float32(scale)) + point(tensor)
    return np.clip(whole, -128, 127).astype(np.int8)


def only(tensor: Tensor) -> tuple[float, float]:
    """The scale and the zero point of a tensor that is computed: those of whole numbers where the
    file says none."""
    if tensor.scale is None:
        return 1.0, 0.0
    if tensor.scale.size != 1:
        raise UnsupportedOp(f"expected one scale for '{tensor.name}', but got {tensor.scale.size}")
    return float(tensor.scale[0]), float(tensor.zero[0])


def of_codes(writer: mlir.Writer, value: mlir.Value, tensor: Tensor) -> Lite:
    """What bytes stand for, in floats where these are wanted."""
    scale, _ = only(tensor)
    zero = point(tensor)

    def floats():
        def build(b, x):
            return b("mul", b("sub", b.from_signed(x), b.number(zero)), b.number(scale))

        return Context(writer, TensorType(value.shape)).elementwise(build, value)

    return Lite(value.shape, "f32", write=floats, tensor=tensor, codes=value)


def codes(writer: mlir.Writer, operand: Lite) -> mlir.Value:
    """The signed bytes of an operand that has codes."""
    if operand.codes is None:
        if operand.constant is not None:
            operand.codes = writer.constant(constant_codes(operand), operand.hint)
        else:
            c = Context(writer, TensorType(operand.shape))
            operand.codes = rounded(c, operand, operand.tensor)
    return operand.codes


def rounded(c: Context, x, tensor: Tensor) -> mlir.Value:
    """The signed bytes of the nearest values that have codes."""
    scale, _ = only(tensor)
    zero = point(tensor)

    def build(b, x):
        code = b("math.round", b("arith.divf", x, b.number(scale)))
        return to_byte(b, b("add", code, b.number(zero)))

    return bytes_of(c, build, x)


def to_byte(b, code, low: float = -128.0, high: float = 127.0):
    """A whole float between bounds; of NaN the lower one."""
    code = b("arith.minnumf", b("arith.maxnumf", code, b.number(low)), b.number(high))
    return b.to_code(code, BYTE)


def bytes_of(c: Context, build, *operands, element: str = "f32") -> mlir.Value:
    """Bytes that are computed in `element`."""
    return c.elementwise(build, *operands, type_=TensorType(c.shape, BYTE), element=element)


def whole(c: Context, x: Lite) -> mlir.Value:
    """The codes, as floats."""
    moved = 128.0 if x.tensor.type == "uint8" else 0.0
    value = codes(c.writer, x)
    return c.elementwise(lambda b, x: b("add", b.from_signed(x), b.number(moved)), value)


def of_argument(writer: mlir.Writer, argument: mlir.Value, tensor: Tensor) -> Lite:
    """An input of codes; of whole numbers where the file says no scale."""
    if is_coded(tensor):
        return of_codes(writer, integers.turned(writer, argument), tensor)
    value = writer.from_codes(argument)
    return Lite(value.shape, "f32", value=value, tensor=tensor)


def to_result(writer: mlir.Writer, operand: Lite, tensor: Tensor) -> mlir.Value:
    """An output of codes."""
    if _has_codes(operand) and _are_alike([operand.tensor, tensor]):
        value = codes(writer, operand)
    else:
        value = rounded(Context(writer, TensorType(operand.shape)), operand, tensor)
    return integers.turned(writer, value, ELEMENTS[tensor.type])


@operator(tflite="DEQUANTIZE")
def dequantize(op: Op, x):
    return op.value(x)
