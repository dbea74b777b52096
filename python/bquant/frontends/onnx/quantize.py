"""QuantizeLinear and DequantizeLinear of ONNX: codes are whole floats in the program, and bytes
where products read them."""

from __future__ import annotations

from onnx import TensorProto

from ..common.mlir import Value
from ..common.operators import integers
from ..common.operators.context import Context
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from .context import Coded, Node, Tensor

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


def _operands(n: Node, scale, zero):
    """Scale and zero point as operands that broadcast: one number, or one along `axis`."""
    if n.get("block_size", 0):
        raise UnsupportedOp("expected one scale for a tensor or for each index of an axis")
    axis, rank = n.get("axis", 1), len(n.shape)

    def spread(operand):
        return operand if operand.size == 1 else n.channels(operand, axis % rank)

    return spread(scale), 0.0 if zero is None else spread(zero)


def decoded(codes: Tensor, scale: Tensor, zero: Tensor | None, options: dict) -> Coded | None:
    """What DequantizeLinear by constants computes its result of."""
    known = scale.constant is not None and (zero is None or zero.constant is not None)
    if not known or options.get("block_size", 0):
        return None
    return Coded(codes, scale, zero, options.get("axis", 1))


def of_codes(c: Context, dtype: int, floats, signed=None) -> Tensor:
    """Codes, as `floats` writes them or, as bytes with a sign, `signed`, where they are wanted."""
    later, result = c.writer.later, Tensor(c.shape, "f32", dtype=dtype)

    def as_floats():
        return floats() if bytes_of(result) is None else floats_of_bytes(c, result)

    def as_bytes():
        return integers.to_bytes(c, c.value(result), is_unsigned(result))

    result.write = later(as_floats)
    if dtype in BYTES:
        result.bytes = Tensor(c.shape, "i8", dtype=dtype, write=later(signed or as_bytes))
    return result


def is_unsigned(codes: Tensor) -> bool:
    return codes.dtype == TensorProto.UINT8


def bytes_of(codes: Tensor) -> Value | None:
    """Those that the program has."""
    return codes.bytes and codes.bytes.value


def floats_of_bytes(c: Context, codes: Tensor) -> Value:
    return integers.from_bytes(c, codes.bytes.value, is_unsigned(codes))


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
    given, wanted = x.coded, decoded(result, scale, zero, n.options)
    if given and wanted and given.codes.bytes and given.means_as(wanted):
        result.bytes = given.codes.bytes
    return result


@operator(onnx="DequantizeLinear")
def dequantize(n: Node, x, scale, zero=None):
    operands = _operands(n, scale, zero)

    def build(b, x, s, z):
        return b("mul", b("sub", x, z), s)

    def write():
        codes = x if bytes_of(x) is None else floats_of_bytes(n, x)
        return n.elementwise(build, codes, *operands)

    coded = decoded(x, scale, zero, n.options)
    return Tensor(n.shape, "f32", dtype=n.dtype, write=n.writer.later(write), coded=coded)
