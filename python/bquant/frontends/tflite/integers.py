"""Operators of codes that are sums of integers, with the arithmetic of XNNPACK, which TensorFlow
Lite runs by default.

A product adds its bias in integers and multiplies the sum by one float for each filter; the result
is the nearest code, of two the even one. Sums of two operands and places between elements multiply
by integers and shift what comes out.
"""

from __future__ import annotations

import math

import numpy as np

from ..common import mlir
from ..common.operators import reductions, shapes
from ..common.operators.context import Context, constant, numbers
from ..common.table import operator
from . import quantized
from .context import Lite, Op, point
from .elementwise import ACTIVATIONS
from .load import Tensor

# What a fused activation leaves.
_BOUNDS = {None: (-np.inf, np.inf), "RELU": (0, np.inf), "RELU6": (0, 6), "RELU_N1_TO_1": (-1, 1)}
_MOST_RATIO = 256  # XNNPACK leaves larger ones to others


def _is_byte(tensor: Tensor | None) -> bool:
    return (
        tensor is not None
        and quantized.is_coded(tensor)
        and tensor.scale.size == 1
        and -128 <= point(tensor) <= 127
    )


def _bounds(op: Op) -> tuple[float, float]:
    """The least and the greatest result, as signed bytes."""
    tensor = op.tensors[0]
    scale, zero = tensor.scale[0], np.float32(point(tensor))
    numbers = np.array(_BOUNDS[ACTIVATIONS[op.activation]], np.float32)
    low, high = np.rint(np.clip(numbers / scale + zero, -128, 127)).tolist()
    return low, high


def _scaled(op: Op, value: mlir.Value, ratio) -> Lite:
    """Numbers, of i32 or f32, by a scale in codes of the result."""
    zero, bounds = point(op.tensors[0]), _bounds(op)

    def build(b, x, ratio):
        code = b("math.roundeven", b("mul", b.to_number(x), ratio))
        return quantized.to_byte(b, b("add", code, b.number(zero)), *bounds)

    ratio = float(ratio) if np.isscalar(ratio) else ratio
    return _coded(op, op.context(value.shape), build, value, ratio)


def _coded(op: Op, c: Context, build, *operands, element: str = "f32") -> Lite:
    """Bytes, which are codes of the result."""
    value = quantized.bytes_of(c, build, *operands, element=element)
    return quantized.of_codes(op.writer, value, op.tensors[0])


@operator(tflite="QUANTIZE")
def quantize(op: Op, x):
    """Floats, by the reciprocal of the scale."""
    if not _is_byte(op.tensors[0]):
        return x
    return _scaled(op, op.value(x), np.float32(1) / op.tensors[0].scale[0])


# Products.


def multiplies(op: Op, x: Lite, weight: Lite, bias: Lite | None) -> bool:
    """Whether a product is one of codes: by constant filters whose codes the file has, with one
    zero point for all."""
    known = weight.constant is not None and weight.tensor.array is not None
    return (
        _is_byte(op.tensors[0])
        and x.constant is None
        and _is_byte(x.tensor)
        and known
        and quantized.is_coded(weight.tensor)
        and len({*weight.tensor.zero.tolist()}) == 1
        and (bias is None or bias.tensor.array is not None and bias.tensor.type == "int32")
        and ACTIVATIONS.get(op.activation, op.activation) in _BOUNDS
        and _ratio(op, x, weight).max() < _MOST_RATIO
    )


def _ratio(op: Op, x: Lite, weight: Lite) -> np.ndarray:
    """How many steps of the result are one of the sum, for each filter or for all."""
    return x.tensor.scale[0] * weight.tensor.scale / op.tensors[0].scale[0]


def multiply(op: Op, x: Lite, weight: Lite, bias: Lite | None, product, order=None) -> Lite:
    """`product`: of the operands as bytes, what the first is padded with and the zero point of the
    second; `order`: of the filters' dimensions, so that theirs is the first."""
    filters = quantized.constant_codes(weight)
    filters = filters if order is None else order(filters)
    fill, zero = point(x.tensor), point(weight.tensor)
    moved = filters.astype(np.int32) - zero
    if -128 <= moved.min() and moved.max() <= 127:
        filters, zero = moved.astype(np.int8), 0
    constants = op.writer.constant(np.ascontiguousarray(filters), weight.hint)
    c = op.context(op.shape, "i32")
    total = product(c, quantized.codes(op.writer, x), constants, fill, zero)
    # What stands for 0 is not 0 in the sum. Sums wrap, as theirs do.
    offset = -fill * moved.reshape(len(moved), -1).sum(1, dtype=np.int64)
    if bias is not None:
        offset = offset + bias.tensor.array.reshape(-1).astype(np.int64)
    last = len(c.shape) - 1
    if offset.any():
        offset = constant(offset.astype(np.int32), "bias" if bias is None else bias.hint)
        total = c.elementwise(lambda b, x, y: b("add", x, y), total, c.channels(offset, last))
    return _scaled(op, total, c.channels(constant(_ratio(op, x, weight)), last))


# Averages.


def averages(op: Op, x: Lite) -> bool:
    """Whether averages of codes are those of what they stand for."""
    tensor = op.tensors[0]
    return (
        x.constant is None
        and _is_byte(x.tensor)
        and _is_byte(tensor)
        and x.tensor.type == tensor.type
        and quantized.only(x.tensor) == quantized.only(tensor)
        and ACTIVATIONS.get(op.activation, op.activation) in _BOUNDS
    )


def average(op: Op, codes: mlir.Value) -> Lite:
    """Of averages that are computed in floats the nearest code, of two the one away from 0."""
    tensor, bounds = op.tensors[0], _bounds(op)
    shift = point(tensor) - int(tensor.zero[0])

    def build(b, x):
        code = b("add", b("math.round", x), b.number(shift))
        return quantized.to_byte(b, code, *bounds)

    return _coded(op, op.context(codes.shape), build, codes)


# One element of each operand.

_OF_CODES: dict = {}


def _of_codes(*names: str):
    """Registers what writes operators in place of their own function, or gives None."""

    def register(function):
        for name in names:
            _OF_CODES[name] = function
        return function

    return register


def write(op: Op, operands) -> Lite | None:
    """An operator of codes in integers, if there is such a way."""
    function = _OF_CODES.get(op.operator.name)
    return function and function(op, *operands)


def _have_bytes(op: Op, operands) -> bool:
    """Of one type in all operands and the result."""
    tensors = [*(o.tensor for o in operands if o is not None), op.tensors[0]]
    return (
        None not in operands
        and all(_is_byte(tensor) for tensor in tensors)
        and len({tensor.type for tensor in tensors}) == 1
        and ACTIVATIONS.get(op.activation, op.activation) in _BOUNDS
    )


def _operand(op: Op, x: Lite):
    if x.constant is not None:
        return constant(quantized.constant_codes(x).astype(np.int32), x.hint)
    return quantized.codes(op.writer, x)


def _number(b, x):
    """A byte, or a constant, as what is computed in."""
    return b.from_signed(x) if b.elements[x] == quantized.BYTE else x


def _shifted(op: Op, build, operands, shift: int) -> Lite:
    """Integers, shifted so that the middle of two goes up, as codes."""
    zero, (low, high) = point(op.tensors[0]), _bounds(op)

    def shifted(b, *names):
        total = b("add", build(b, *(_number(b, x) for x in names)), b.number(1 << shift >> 1))
        code = b("add", b("arith.shrsi", total, b.number(shift)), b.number(zero))
        code = b("min", b("max", code, b.number(low)), b.number(high))
        return b.truncate(code, quantized.BYTE)

    return _coded(op, op, shifted, *(_operand(op, x) for x in operands), element="i32")


@_of_codes("ADD", "SUB")
def _add(op: Op, *operands):
    """a times an integer and b times another one, of 21 bits, shifted."""
    if not _have_bytes(op, operands):
        return None
    ratios = [abs(o.tensor.scale[0] / op.tensors[0].scale[0]) for o in operands]
    if not (2**-10 <= min(ratios) and max(ratios) < 2**8):
        return None
    shift = 21 - math.frexp(max(ratios))[1]
    numbers = [round(math.ldexp(ratio, shift)) for ratio in ratios]
    if op.operator.name == "SUB":
        numbers[1] = -numbers[1]
    zero = -sum(n * point(o.tensor) for n, o in zip(numbers, operands, strict=True))

    def build(b, *names):
        total = b.number(zero)
        for x, number in zip(names, numbers, strict=True):
            total = b("add", total, b("mul", x, b.number(number)))
        return total

    return _shifted(op, build, operands, shift)


@_of_codes("LEAKY_RELU", "QUANTIZE")
def _rescale(op: Op, x):
    """x times one of two integers of eight bits behind the point, for each sign, shifted."""
    if not _have_bytes(op, [x]):
        return None
    zero, ratio = point(x.tensor), x.tensor.scale[0] / op.tensors[0].scale[0]
    slope = np.float32(op.get("Alpha", 0.0)) if op.operator.name == "LEAKY_RELU" else np.float32(1)
    if not (2**-8 <= ratio <= 2**7 and 2**-8 <= abs(ratio * slope) <= 2**7):
        return None
    numbers = [int(np.rint(256 * r)) for r in (ratio, ratio * slope)]

    def build(b, x):
        x = b("sub", x, b.number(zero))
        factor = b.number(numbers[0])
        if slope != 1:
            factor = b.select(b.compare("olt", x, b.number(0)), b.number(numbers[1]), factor)
        return b("mul", x, factor)

    return _shifted(op, build, [x], 8)


@_of_codes("MUL")
def _multiply(op: Op, x, y):
    if not _have_bytes(op, [x, y]):
        return None
    ratio = x.tensor.scale[0] * y.tensor.scale[0] / op.tensors[0].scale[0]
    zeros, bounds = [point(t) for t in (x.tensor, y.tensor, op.tensors[0])], _bounds(op)

    def build(b, x, y):
        x = b("sub", _number(b, x), b.number(zeros[0]))
        y = b("sub", _number(b, y), b.number(zeros[1]))
        scaled = b("mul", b("mul", x, y), b.number(float(ratio)))
        code = b("add", b("math.roundeven", scaled), b.number(zeros[2]))
        return quantized.to_byte(b, code, *bounds)

    return _coded(op, op, build, _operand(op, x), _operand(op, y))


@_of_codes("MEAN")
def _mean(op: Op, x, dims):
    """Over an image: its sum, scaled."""
    over = sorted(d % 4 for d in numbers(dims, "dimensions")) if len(x.shape) == 4 else None
    if over != [1, 2] or not _have_bytes(op, [x]):
        return None
    zero, count = point(x.tensor), x.shape[1] * x.shape[2]
    c, codes = op.context(x.shape, "i32"), quantized.codes(op.writer, x)
    whole = c.elementwise(lambda b, x: b("sub", b.from_signed(x), b.number(zero)), codes)
    total = reductions.reduce(op.context(op.shape, "i32"), whole, over, reductions.SUM)
    ratio = x.tensor.scale[0] / (op.tensors[0].scale[0] * np.float32(count))
    return _scaled(op, total, ratio)


_PLACE_BITS = 11  # of the distance from one element to the next


@_of_codes("RESIZE_BILINEAR")
def _resize_bilinear(op: Op, x, *_):
    """Between four elements, by distances of a few bits."""
    if not averages(op, x):
        return None
    value, c = quantized.codes(op.writer, x), op.context(op.shape, quantized.BYTE)
    rows, columns = (_places(op, dim, x.shape[dim]) for dim in (1, 2))
    given = []
    for row in rows[:2]:
        shape = (x.shape[0], op.shape[1], *x.shape[2:])
        across = shapes.take(op.context(shape, quantized.BYTE), value, 1, row)
        given += [shapes.take(c, across, 2, column) for column in columns[:2]]
    shares = [op.channels(constant(s[2]), d) for s, d in ((columns, 2), (rows, 1))]
    one = 2 * _PLACE_BITS

    def build(b, *names):
        *corners, along, down = names
        left, right, below, behind = (b.from_signed(x) for x in corners)

        def between(x, y, share):
            step = b("mul", b("sub", y, x), share)
            return b("add", b("arith.shli", x, b.number(_PLACE_BITS)), step)

        total = between(between(left, right, along), between(below, behind, along), down)
        nearest = b("add", total, b.number(1 << one >> 1))
        return b.truncate(b("arith.shrsi", nearest, b.number(one)), quantized.BYTE)

    return _coded(op, op, build, *given, *shares, element="i32")


def _places(op: Op, dim: int, size: int):
    """The two elements that each one of a resized dimension lies between, and how far it is from
    the first."""
    out, half = op.shape[dim], np.float32(0.5)
    is_last = int(op.get("AlignCorners", False) and out > 1)
    scale = np.float32(size - is_last) / np.float32(out - is_last)
    first = half * scale - half if op.get("HalfPixelCenters", False) else np.float32(0)
    at = np.clip(np.arange(out, dtype=np.float32) * scale + first, 0, np.float32(size - 1))
    low = at.astype(np.int32)
    share = np.rint((at - low.astype(np.float32)) * np.float32(1 << _PLACE_BITS)).astype(np.int32)
    return low.tolist(), np.minimum(low + 1, size - 1).tolist(), share
