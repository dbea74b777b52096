"""QuantizeLinear and DequantizeLinear of ONNX: codes are whole floats in the program, and bytes
where products read them."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto
from onnx.helper import tensor_dtype_to_np_dtype

from ..common.mlir import Value
from ..common.operators import codes
from ..common.operators.context import Coded, Context, array, constant
from ..common.shapes import TensorType, UnsupportedOp
from ..common.table import operator
from .context import Node, Tensor
from .pooling import pooled_shape

BYTES = (TensorProto.UINT8, TensorProto.INT8)

# The least and the largest code of each type that there is.
CODES = {
    TensorProto.UINT8: (0, 255),
    TensorProto.INT8: (-128, 127),
    TensorProto.UINT16: (0, 65535),
    TensorProto.INT16: (-32768, 32767),
    TensorProto.UINT4: (0, 15),
    TensorProto.INT4: (-8, 7),
}

# What moves elements, as codes or as what is decoded of them.
MOVES = {
    "Concat", "DepthToSpace", "Flatten", "MaxPool", "Reshape", "Slice", "SpaceToDepth", "Squeeze",
    "Transpose", "Unsqueeze",
}  # fmt: skip


def _operands(n: Node, scale, zero):
    """Scale and zero point as operands that broadcast: one number, or one along `axis`."""
    if n.get("block_size", 0):
        raise UnsupportedOp("expected one scale for a tensor or for each index of an axis")
    axis, rank = n.get("axis", 1), len(n.shape)

    def spread(operand):
        return operand if operand.size == 1 else n.channels(operand, axis % rank)

    return spread(scale), 0.0 if zero is None else spread(zero)


def coded(values: Tensor, scale: Tensor, zero: Tensor | None, options: dict) -> Coded | None:
    """What DequantizeLinear by constants decodes."""
    known = scale.constant is not None and (zero is None or zero.constant is not None)
    if not known or options.get("block_size", 0):
        return None
    zeros = np.zeros(1) if zero is None else zero.constant
    vectors = scale.constant.reshape(-1), zeros.reshape(-1).astype(np.int32)
    return Coded(values, *vectors, options.get("axis", 1), CODES.get(values.dtype))


def of_codes(c: Context, dtype: int, floats) -> Tensor:
    """Codes of any type, as `floats` writes them."""
    result = Tensor(c.shape, "f32", dtype=dtype)
    if dtype in BYTES:
        return codes.of_codes(c, result, floats)
    result.write = c.writer.later(floats)
    return result


def of_argument(c: Context, dtype: int, argument: Value) -> Tensor:
    """Codes of any type that come in."""
    result = Tensor(c.shape, "f32", dtype=dtype)
    if dtype in BYTES:
        return codes.of_argument(c, result, argument)
    result.write = c.writer.later(lambda: c.writer.from_codes(argument))
    return result


def move(n: Node, write, operands) -> Tensor | None:
    """An operator of MOVES on codes of 8 bits, if it is one."""
    if n.name == "Relu":
        return codes.relu(n, *operands, lambda: write(n, *operands))
    if n.name == "Pad" and n.get("mode", "constant") == "constant":
        x, pads, *rest = operands
        value, *axes = rest or [None]
        fill = 0.0 if value is None else float(array(value, "values").item())

        def padded(n, x, fill):
            return write(n, x, pads, constant(np.array(fill, np.float32)), *axes)

        return codes.pad(n, x, fill, padded)
    if n.name not in MOVES or n.others:
        return None
    if n.name == "MaxPool":
        if operands[0].coded and operands[0].coded.falls:
            return None
        types = [TensorType(pooled_shape(n, operands[0]))]
        n = Node(n.writer, types, n.name, n.options, n.dtype)
    count = len(operands) if n.name == "Concat" else 1
    moved, rest = operands[:count], operands[count:]
    return codes.move(n, moved, lambda c, *moved: write(c, *moved, *rest))


def is_linear(op: str, dtype: int, options: dict) -> bool:
    """Whether it is a quantization that `codes_of_constants` knows."""
    return op == "QuantizeLinear" and dtype in CODES and not options.get("block_size", 0)


def codes_of_constants(x, scale, zero=None, *, options: dict, dtype: int) -> np.ndarray:
    """What QuantizeLinear gives. onnx' evaluator bounds integers, into which not all floats fit."""
    (low, high), shape = CODES[dtype], [1] * x.ndim
    if x.ndim:
        shape[options.get("axis", 1) % x.ndim] = -1

    def spread(given):
        return given.astype(np.float32).reshape(shape if given.size > 1 else ())

    code = np.rint(x.astype(np.float32) / spread(scale))
    code = code if zero is None else code + spread(zero)
    bounded = np.where(code >= low, np.minimum(code, high), low)
    return bounded.astype(np.int32).astype(tensor_dtype_to_np_dtype(dtype))


@operator(onnx="QuantizeLinear", codes=True)
def quantize(n: Node, x, scale, zero=None):
    """Rounded to even, then moved to the zero point, then bounded."""
    low, high = CODES[n.dtype]
    operands = _operands(n, scale, zero)

    def build(b, x, s, z):
        code = b("add", b("math.roundeven", b("arith.divf", x, s)), z)
        bounded = b("max", code, b.number(low))
        return b("min", bounded, b.number(high))

    result = of_codes(n, n.dtype, lambda: n.elementwise(build, x, *operands))
    wanted = coded(result, scale, zero, n.options)
    if wanted:
        codes.share(x, wanted)
    return result


@operator(onnx="DequantizeLinear")
def dequantize(n: Node, x, scale, zero=None):
    operands = _operands(n, scale, zero)

    def build(b, x, s, z):
        return b("mul", b("sub", x, z), s)

    def write():
        return n.elementwise(build, x, *operands)

    given = coded(x, scale, zero, n.options)
    if not given:
        return write()
    return codes.decoded(n, Tensor(n.shape, "f32", dtype=n.dtype), given, write)
