"""QuantizeLinear and DequantizeLinear of ONNX: codes are whole floats in the program."""

from __future__ import annotations

from onnx import TensorProto

from ..common.shapes import UnsupportedOp
from ..common.table import operator
from .context import Node

# The least and the largest code of each type that there is.
CODES = {
    TensorProto.UINT8: (0, 255),
    TensorProto.INT8: (-128, 127),
    TensorProto.UINT16: (0, 65535),
    TensorProto.INT16: (-32768, 32767),
    TensorProto.UINT4: (0, 15),
    TensorProto.INT4: (-8, 7),
}


def _operands(n: Node, scale, zero):
    """Scale and zero point as operands that broadcast: one number, or one along `axis`."""
    if n.get("block_size", 0):
        raise UnsupportedOp("expected one scale for a tensor or for each index of an axis")
    axis, rank = n.get("axis", 1), len(n.shape)

    def spread(operand):
        return operand if operand.size == 1 else n.channels(operand, axis % rank)

    return spread(scale), 0.0 if zero is None else spread(zero)


@operator(onnx="QuantizeLinear", codes=True)
def quantize(n: Node, x, scale, zero=None):
    """Rounded to even, then moved to the zero point, then bounded."""
    low, high = CODES[n.dtype]

    def build(b, x, s, z):
        code = b("add", b("math.roundeven", b("arith.divf", x, s)), z)
        bounded = b("max", code, b.number(low))
        return b("min", bounded, b.number(high))

    return n.elementwise(build, x, *_operands(n, scale, zero))


@operator(onnx="DequantizeLinear")
def dequantize(n: Node, x, scale, zero=None):
    def build(b, x, s, z):
        return b("mul", b("sub", x, z), s)

    return n.elementwise(build, x, *_operands(n, scale, zero))
