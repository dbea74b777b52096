"""Codes of 8 bits and what they stand for, (code - zero) * scale.

Codes are whole floats in the program, and bytes where products or results read them: each is
written once it is wanted. What moves elements moves the codes.

Products are sums of integers: of codes less their zero points, scaled once, by both scales. A bias
that has this scale is added to the sum, as ONNX Runtime does it, and any other one to the result.
Filters of fewer bits stay as they are written: raising makes planes of them, which are faster.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..mlir import Value
from ..shapes import UnsupportedOp
from . import integers
from .context import Coded, Context, Node, Operand, constant

# The codes of four bits: a filter with at most as many stays planes.
FEW = 16
# What an i32 sum stays below.
LIMIT = 1 << 31
# How many operations in a row may be left to write, each by some calls of functions in the next.
MOST_WAITING = 64


def of_codes(c: Context, codes: Operand, floats, signed=None) -> Operand:
    """`codes`, a new operand of 8 bits, as `floats` writes them or, as bytes with a sign, `signed`,
    where they are wanted."""

    def as_floats():
        return floats() if bytes_of(codes) is None else floats_of_bytes(c, codes)

    def as_bytes():
        return integers.to_bytes(c, c.value(codes), codes.unsigned)

    later = c.writer.later
    codes.write = later(as_floats)
    codes.bytes = Operand(c.shape, "i8", write=later(signed or as_bytes))
    codes.waiting += 1
    if codes.waiting > MOST_WAITING:
        c.value(codes.bytes)
        codes.waiting = 0
    return codes


def of_argument(c: Context, codes: Operand, argument: Value) -> Operand:
    """`codes`, a new operand of 8 bits, that come in."""

    def signed():
        return integers.turned(c.writer, argument)

    return of_codes(c, codes, lambda: c.writer.from_codes(argument), signed)


def to_result(c: Context, codes: Operand, element: str) -> Value:
    """Codes that go out."""
    found = bytes_of(codes)
    if found is None:
        return c.writer.to_codes(c.value(codes), element)
    return integers.turned(c.writer, found, element)


def bytes_of(codes: Operand) -> Value | None:
    """Those that the program has."""
    return codes.bytes and codes.bytes.value


def floats_of_bytes(c: Context, codes: Operand) -> Value:
    return integers.from_bytes(c, codes.bytes.value, codes.unsigned)


def decoded(c: Context, like: Operand, coded: Coded, write=None) -> Operand:
    """What codes stand for: as `write`, if given, computes it of the floats, unless the program has
    the bytes; a new operand like another one."""

    def floats():
        return write() if write and bytes_of(coded.codes) is None else _decode(c, coded)

    result = _new(c, like)
    result.write, result.coded = c.writer.later(floats), coded
    return result


def _new(c: Context, like: Operand) -> Operand:
    return dataclasses.replace(
        like, shape=c.shape, value=None, constant=None, write=None, bytes=None, coded=None
    )


def _decode(c: Context, coded: Coded) -> Value:
    def spread(numbers):
        return numbers.item() if numbers.size == 1 else c.channels(numbers, coded.axis)

    def build(b, x, scale, zero):
        return b("mul", b("sub", x, zero), scale)

    codes = coded.codes if bytes_of(coded.codes) is None else floats_of_bytes(c, coded.codes)
    return c.elementwise(build, codes, spread(coded.scales), spread(coded.zeros.astype(np.float32)))


def share(given: Operand, wanted: Coded) -> None:
    """The codes of what is decoded are these again."""
    coded = given.coded
    if coded and coded.codes.bytes and coded.means_as(wanted):
        (low, high), (least, most) = coded.bounds, wanted.bounds
        if least <= low and high <= most:
            wanted.codes.bytes = coded.codes.bytes


def move(c: Node, operands, write) -> Operand | None:
    """An operation that moves elements, on codes, if its operands are some, or on what codes of one
    scale stand for. `write` gets a node and operands."""
    if all(o.bytes for o in operands):
        return _move(c, operands, write)
    first, *_ = given = [o.coded for o in operands]
    if not all(given) or not all(other.means_as(first) for other in given):
        return None
    if not all(coded.codes.bytes for coded in given):
        return None
    lows, highs = zip(*(coded.bounds for coded in given), strict=True)
    codes = _move(c, [coded.codes for coded in given], write)
    coded = dataclasses.replace(first, codes=codes, bounds=(min(lows), max(highs)))
    return decoded(c, operands[0], coded, lambda: write(c, *operands))


def _move(c: Node, codes, write) -> Operand:
    def signed():
        return write(c.typed("i8"), *(code.bytes for code in codes))

    longest = max(codes, key=lambda code: code.waiting)
    return of_codes(c, _new(c, longest), lambda: write(c, *codes), signed)


def relu(c: Context, x: Operand, write) -> Operand | None:
    """The maximum of what codes stand for and 0, where 0 has a code."""
    given = x.coded
    if not given or not given.is_uniform or not given.codes.bytes or given.falls:
        return None
    (low, high), zero = given.bounds, int(given.zeros[0])
    if not low <= zero <= high:
        return None

    def floats():
        return c.elementwise(lambda b, x: b("max", x, b.number(zero)), given.codes)

    codes = of_codes(c, _new(c, given.codes), floats)
    return decoded(c, x, dataclasses.replace(given, codes=codes, bounds=(zero, high)), write)


def pad(c: Node, x: Operand, fill: float, write) -> Operand | None:
    """Padding, on codes, if the operand is some, or on what codes stand for, where one of them
    stands for `fill`. `write` gets a node, an operand and what to fill with."""
    if x.bytes:
        shift = integers.SHIFT if x.unsigned else 0
        if fill % 1 or not -integers.SHIFT <= fill - shift < integers.SHIFT:
            raise UnsupportedOp(f"expected a code to pad codes with, but got {fill:g}")

        def signed():
            return write(c.typed("i8"), x.bytes, fill - shift)

        return of_codes(c, _new(c, x), lambda: write(c, x, fill), signed)
    given = x.coded
    if not given or not given.is_uniform or not given.codes.bytes:
        return None
    (low, high), zero, scale = given.bounds, given.zeros[0], given.scales[0]
    steps = np.rint(np.float32(fill) / scale)
    if steps * scale != np.float32(fill) or not low <= zero + steps <= high:
        return None
    codes = pad(c, given.codes, float(zero + steps), write)
    return decoded(c, x, dataclasses.replace(given, codes=codes), lambda: write(c, x, fill))


def multiply(
    c: Context, x: Operand, weight: Operand, bias: Operand | None, axis: int, dim: int, write,
    each: bool = False,
):  # fmt: skip
    """A product by filters that are indexed by `axis`, whose results are by `dim`, and the bias
    that is still to be added; None where it is not one of codes. `write` gets a context and what
    `integers` takes: operands, zero points, and whether codes have no sign. `each`: a filter reads
    one channel of x."""
    a, b = x.coded, weight.coded
    if not a or not b or not _are_inputs(a, each) or not _are_filters(b, axis):
        return None
    others = tuple(d for d in range(len(weight.shape)) if d != axis)
    zeros = np.expand_dims(b.zeros, others) if b.zeros.size > 1 else b.zeros
    moved = b.codes.constant.astype(np.int32) - zeros
    most = 255 * int(np.abs(moved).sum(others, np.int64).max())
    if np.ptp(moved) < FEW or most >= LIMIT:
        return None
    sums = c.context(c.shape, "i32")
    points = constant(a.zeros[0]), constant(b.zeros if b.zeros.size > 1 else b.zeros[0])
    total = write(sums, a.codes.bytes, b.codes, *points, (a.codes.unsigned, b.codes.unsigned))
    # Of several scales each is that of as many filters.
    repeated = weight.shape[axis] // a.scales.size if a.scales.size > 1 else 1
    scales = a.scales.repeat(repeated) * b.scales
    steps = _steps(bias, scales)
    if steps is not None and most + np.abs(steps).max() < LIMIT:
        steps, bias = constant(steps.astype(np.int32), bias.hint), None
        total = sums.elementwise(lambda b, x, y: b("add", x, y), total, sums.channels(steps, dim))
    ratio = c.channels(constant(scales), dim) if scales.size > 1 else scales.item()
    return c.elementwise(lambda b, x, y: b("mul", x, y), total, ratio), bias


def _are_inputs(given: Coded, each: bool) -> bool:
    """Of one zero point, with which they are padded; of several scales where each filter reads one
    channel."""
    by_channels = each and given.axis % len(given.codes.shape) == 1
    one = given.scales.size == 1 or by_channels
    return given.codes.bytes is not None and not np.ptp(given.zeros) and one


def _are_filters(given: Coded, axis: int) -> bool:
    shape, codes = given.codes.shape, given.codes.constant
    if codes is None or codes.dtype not in (np.int8, np.uint8) or 0 in shape:
        return False
    return given.is_uniform or given.axis % len(shape) == axis


def _steps(bias: Operand | None, scales: np.ndarray) -> np.ndarray | None:
    """A bias in steps of a product."""
    given = bias and bias.coded
    if not given or given.codes.constant is None or given.codes.constant.dtype != np.int32:
        return None
    steps = given.codes.constant.reshape(-1).astype(np.int64)
    fits = np.broadcast_to(given.scales, steps.shape) == np.broadcast_to(scales, steps.shape)
    return None if given.zeros.any() or not fits.all() else steps
