"""Codes of 8 bits in programs of torch.export: what torchao and PT2E quantization leave.

Codes are floats in the program, whatever type torch has for them: whole numbers. Products of codes
by constant filters are those of integers (`common.operators.codes`), and so is `_int_mm`.
"""

from __future__ import annotations

import inspect

import numpy as np
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401  (defines the operations)
from torch.utils._pytree import tree_map

from ..common.mlir import Value
from ..common.operators import codes, integers
from ..common.operators import elementwise as emit
from ..common.operators.context import Coded, Context, Node, Operand, constant
from ..common.shapes import UnsupportedOp
from ..common.table import operator

# Types that are written as floats, and what they are as inputs and outputs.
BYTES = {torch.int8: "i8", torch.uint8: "ui8"}


# What moves elements, as codes or as what is decoded of them.
MOVES = {
    "aten.cat.default", "aten.concat.default", "aten.flatten.using_ints", "aten.max_pool2d.default",
    "aten.permute.default", "aten.pixel_shuffle.default", "aten.pixel_unshuffle.default",
    "aten.reshape.default", "aten.select.int", "aten.slice.Tensor", "aten.squeeze.default",
    "aten.squeeze.dim", "aten.squeeze.dims", "aten.transpose.int", "aten.unflatten.int",
    "aten.unsqueeze.default", "aten.view.default",
}  # fmt: skip

PADS = {"aten.constant_pad_nd.default", "aten.pad.default"}


def of_argument(c: Context, argument: Value) -> Operand:
    """Codes that come in."""
    result = Operand(c.shape, "f32", unsigned=argument.type.element == BYTES[torch.uint8])
    return codes.of_argument(c, result, argument)


def to_result(c: Context, operand: Operand, dtype) -> Value:
    """Codes that go out."""
    return codes.to_result(c, operand, BYTES[dtype])


def move(c: Node, operands, args, kwargs, write) -> Operand | None:
    """An operation of MOVES on codes of 8 bits, if it is one. `write` gets a node and arguments."""
    if c.name == "aten.relu.default":
        return codes.relu(c, *operands, lambda: write(c, *args, **kwargs))
    if c.name in PADS:
        given = inspect.signature(write).bind(c, *args, **kwargs).arguments
        if given.get("mode", "constant") == "constant":
            fill = float(given.get("value") or 0)
            if operands[0].bytes:
                fill = float(np.trunc(fill))  # as torch makes a code of it

            def padded(c, x, fill):
                return write(c, x, given["pad"], value=fill)

            return codes.pad(c, *operands, fill, padded)
    elif c.name not in MOVES or not all(isinstance(o, Operand) for o in operands):
        return None

    def moved(c, *others):
        places = {id(operand): other for operand, other in zip(operands, others, strict=True)}
        others, options = tree_map(lambda a: places.get(id(a), a), (args, kwargs))
        return write(c, *others, **options)

    return codes.move(c, operands, moved)


def _array(operand, dtype) -> np.ndarray:
    """A number, or a constant, as a vector."""
    array = operand.constant if hasattr(operand, "constant") else operand
    if array is None:
        raise UnsupportedOp("expected constant scales and zero points")
    return np.asarray(array, dtype).reshape(-1)


def _zeros(operand) -> np.ndarray:
    zeros = _array(operand, np.float64)
    for zero in zeros[zeros % 1 != 0]:
        raise UnsupportedOp(f"expected whole zero points, but got {zero:g}")
    return zeros.astype(np.int32)


def _coded(values: Operand, scale, zero, axis: int | None, bounds) -> Coded:
    return Coded(values, _array(scale, np.float32), _zeros(zero), axis or 0, bounds)


def _spread(c: Context, numbers: np.ndarray, axis: int):
    """A number, or a vector along the axis."""
    numbers = numbers.astype(np.float32)
    return numbers.item() if numbers.size == 1 else c.channels(numbers, axis)


def _quantize(c: Context, x, scale, zero, axis, low, high, unsigned: bool) -> Coded:
    """The codes of x. The reciprocal of a scale that is a number is rounded once."""
    result = Operand(c.shape, "f32", unsigned=unsigned)
    coded = _coded(result, scale, zero, axis, (low, high))
    inverse = np.float32(1) / coded.scales
    if isinstance(scale, float):
        inverse = np.array([1 / scale], np.float32)
    places = _spread(c, inverse, coded.axis), _spread(c, coded.zeros, coded.axis)

    def build(b, x, inverse, zero):
        code = b("add", b("math.roundeven", b("mul", x, inverse)), zero)
        return b("min", b("max", code, b.number(low)), b.number(high))

    codes.of_codes(c, result, lambda: c.elementwise(build, x, *places))
    codes.share(x, coded)
    return coded


def _dequantize(c: Context, x, scale, zero, axis, low, high) -> Operand:
    return codes.decoded(c, Operand(c.shape, "f32"), _coded(x, scale, zero, axis, (low, high)))


@operator(
    torch=(
        "quantized_decomposed.quantize_per_tensor.default",
        "quantized_decomposed.quantize_per_tensor.tensor",
    )
)
def quantize_per_tensor(c: Context, x, scale, zero_point, quant_min, quant_max, dtype):
    unsigned = dtype == torch.uint8
    return _quantize(c, x, scale, zero_point, None, quant_min, quant_max, unsigned).codes


@operator(torch="quantized_decomposed.quantize_per_channel.default")
def quantize_per_channel(c: Context, x, scales, zero_points, axis, quant_min, quant_max, dtype):
    unsigned = dtype == torch.uint8
    return _quantize(c, x, scales, zero_points, axis, quant_min, quant_max, unsigned).codes


@operator(
    torch=(
        "quantized_decomposed.dequantize_per_tensor.default",
        "quantized_decomposed.dequantize_per_tensor.tensor",
    )
)
def dequantize_per_tensor(c: Context, x, scale, zero_point, quant_min, quant_max, *_, **__):
    return _dequantize(c, x, scale, zero_point, None, quant_min, quant_max)


@operator(torch="quantized_decomposed.dequantize_per_channel.default")
def dequantize_per_channel(
    c: Context, x, scales, zero_points, axis, quant_min, quant_max, *_, **__
):
    return _dequantize(c, x, scales, zero_points, axis, quant_min, quant_max)


@operator(
    torch=(
        "aten.fake_quantize_per_tensor_affine_cachemask.default",
        "aten.fake_quantize_per_tensor_affine.default",
    )
)
def fake_quantize_per_tensor(c: Context, x, scale, zero_point, quant_min, quant_max):
    return _fake_quantize(c, x, scale, zero_point, None, quant_min, quant_max)


@operator(
    torch=(
        "aten.fake_quantize_per_channel_affine_cachemask.default",
        "aten.fake_quantize_per_channel_affine.default",
    )
)
def fake_quantize_per_channel(c: Context, x, scale, zero_point, axis, quant_min, quant_max):
    return _fake_quantize(c, x, scale, zero_point, axis, quant_min, quant_max)


def _fake_quantize(c: Context, x, scale, zero, axis, low, high) -> Operand | Value:
    """(clamp(round(x / scale) + zero) - zero) * scale, by the reciprocal of the scale."""
    scales, zeros = _array(scale, np.float32), _zeros(zero)
    unsigned = high > 127
    coded = _quantize(c, x, constant(scales), constant(zeros), axis, low, high, unsigned)
    numbers = np.float32(1) / scales, scales, zeros
    places = [_spread(c, n, coded.axis) for n in numbers]

    def build(b, x, inverse, scale, zero):
        code = b("add", b("math.roundeven", b("mul", x, inverse)), zero)
        code = b("min", b("max", code, b.number(low)), b.number(high))
        return b("mul", b("sub", code, zero), scale)

    def write():
        return c.elementwise(build, x, *places)

    if low < (0 if unsigned else -128) or high > 255:
        return write()
    if x.constant is not None:
        coded.codes.constant, coded.codes.hint = _known_codes(x.constant, *numbers, coded), x.hint
    return codes.decoded(c, Operand(c.shape, "f32"), coded, write)


def _known_codes(x: np.ndarray, inverse, scales, zeros, coded: Coded) -> np.ndarray | None:
    """Of a constant; nothing where it is no number."""
    shape = [1] * x.ndim
    if scales.size > 1:
        shape[coded.axis] = scales.size
    found = np.rint(x * inverse.reshape(shape)) + zeros.reshape(shape)
    if not np.isfinite(found).all():
        return None
    return found.clip(*coded.bounds).astype(np.uint8 if coded.codes.unsigned else np.int8)


def to_codes(c: Context, x, dtype, fits: bool):
    """A cast to 8 bits, which wraps unless the number `fits`."""
    floats, signed = c.context(c.shape), dtype == torch.int8
    if x.element == "f32":
        x = emit.unary(floats, "math.trunc", x)
        return x if fits else floats.elementwise(lambda b, x: _wrapped(b, x, signed), x)
    if not fits:
        x = c.context(c.shape, x.element).elementwise(
            lambda b, x: _wrapped_integer(b, x, 128 if signed else 0), x
        )
    return emit.to_number(floats, x)


def _wrapped(b, x, signed: bool):
    """The last 8 bits of a whole float, exactly; 0 of what is no number."""
    turns = b("math.floor", b("mul", x, b.number(1 / 256)))
    rest = b("sub", x, b("mul", turns, b.number(256.0)))
    rest = b.select(b.compare("oge", rest, b.number(0.0)), rest, b.number(0.0))
    if not signed:
        return rest
    return b.select(b.compare("oge", rest, b.number(128.0)), b("sub", rest, b.number(256.0)), rest)


def _wrapped_integer(b, x, shift: int):
    """The last 8 bits, from -`shift` on."""
    rest = b("arith.andi", b("add", x, b.number(shift)), b.number(255))
    return b("sub", rest, b.number(shift))


@operator(torch="aten._int_mm.default", integers=True)
def int_mm(c: Context, x, y):
    return integers.multiply(c, x.bytes or x, y.bytes or y, None, None, (x.unsigned, y.unsigned))
