"""Codes of 8 bits in programs of torch.export: what torchao and PT2E quantization leave.

Codes are floats in the program, whatever type torch has for them: whole numbers. Where the numbers
are those of a quantization, products of bytes take their place; `_int_mm` is one of integers.
"""

from __future__ import annotations

import numpy as np
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401  (defines the operations)

from ..common.operators import elementwise as emit
from ..common.operators import integers
from ..common.operators.context import Context, constant
from ..common.shapes import UnsupportedOp
from ..common.table import operator

# Types that are written as floats, and what they are as inputs and outputs.
BYTES = {torch.int8: "i8", torch.uint8: "ui8"}


def spread(c: Context, operand, axis: int | None):
    """A number, or a vector along the axis."""
    if not hasattr(operand, "constant"):
        return float(operand)
    if operand.constant is None:
        raise UnsupportedOp("expected constant scales and zero points")
    array = np.asarray(operand.constant, np.float32)
    if axis is None:
        return float(array.item())
    return c.channels(constant(array, operand.hint), axis)


def _inverse(scale):
    if isinstance(scale, float):
        return float(np.float32(1.0 / scale))
    return constant(np.float32(1) / scale.constant, scale.hint)


def _quantize(c: Context, x, scale, zero, axis, low, high):
    def build(b, x, inverse, zero):
        code = b("add", b("math.roundeven", b("mul", x, inverse)), zero)
        return b("min", b("max", code, b.number(low)), b.number(high))

    return c.elementwise(build, x, _inverse(spread(c, scale, axis)), spread(c, zero, axis))


def _dequantize(c: Context, x, scale, zero, axis):
    def build(b, x, scale, zero):
        return b("mul", b("sub", x, zero), scale)

    return c.elementwise(build, x, spread(c, scale, axis), spread(c, zero, axis))


@operator(
    torch=(
        "quantized_decomposed.quantize_per_tensor.default",
        "quantized_decomposed.quantize_per_tensor.tensor",
    )
)
def quantize_per_tensor(c: Context, x, scale, zero_point, quant_min, quant_max, dtype):
    return _quantize(c, x, scale, zero_point, None, quant_min, quant_max)


@operator(torch="quantized_decomposed.quantize_per_channel.default")
def quantize_per_channel(c: Context, x, scales, zero_points, axis, quant_min, quant_max, dtype):
    return _quantize(c, x, scales, zero_points, axis, quant_min, quant_max)


@operator(
    torch=(
        "quantized_decomposed.dequantize_per_tensor.default",
        "quantized_decomposed.dequantize_per_tensor.tensor",
    )
)
def dequantize_per_tensor(c: Context, x, scale, zero_point, *_, **__):
    return _dequantize(c, x, scale, zero_point, None)


@operator(torch="quantized_decomposed.dequantize_per_channel.default")
def dequantize_per_channel(c: Context, x, scales, zero_points, axis, *_, **__):
    return _dequantize(c, x, scales, zero_points, axis)


def to_codes(c: Context, x):
    """A cast to 8 bits of what is a whole number in their range."""
    if x.element == "f32":
        return emit.unary(c.context(c.shape), "math.trunc", x)
    return emit.to_number(c.context(c.shape), x)


@operator(torch="aten._int_mm.default", integers=True)
def int_mm(c: Context, x, y):
    return integers.multiply(c, x, y, None, None, (x.unsigned, y.unsigned))
