"""Products of bytes less their zero points: sums of int32, which wrap where they overflow.

An unsigned byte x is the signed byte x - 128, its zero point moves along. With zero points a of x
and b of y, a number each or one for each row and column, that of a sum of K products is

    sum (x - a) (y - b) = sum x y - b sum x - a sum y + K a b

so that the product itself is one of signed bytes, by `linalg.matmul` or a convolution of i8. A
constant operand takes in its own zero point where the difference is a byte again.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from ..mlir import Value, Writer
from ..shapes import TensorType
from .context import Context, Operand, constant
from .elementwise import to_integer
from .products import convolve_values, matmul

_I32 = "i32"
# Of a byte without a sign, to one with it.
SHIFT = 128


@dataclass
class _Bytes:
    """Signed bytes, and the zero point that is left of theirs, of int32: constants where known."""

    value: Value | np.ndarray
    zero: Value | np.ndarray
    hint: str

    def written(self, c: Context) -> Value:
        known = isinstance(self.value, np.ndarray)
        return c.writer.constant(self.value, self.hint) if known else self.value

    @property
    def has_zero(self) -> bool:
        return not isinstance(self.zero, np.ndarray) or bool(self.zero.any())


def to_bytes(c: Context, codes: Value, unsigned: bool) -> Value:
    """Whole floats as signed bytes."""
    if unsigned:
        moved = c.context(codes.shape)
        codes = moved.elementwise(lambda b, x: b("sub", x, b.number(SHIFT)), codes)
    return c.writer.to_codes(codes)


def from_bytes(c: Context, value: Value, unsigned: bool) -> Value:
    """Signed bytes as whole floats."""
    codes = c.writer.from_codes(value)
    if unsigned:
        moved = c.context(codes.shape)
        codes = moved.elementwise(lambda b, x: b("add", x, b.number(SHIFT)), codes)
    return codes


def turned(writer: Writer, value: Value, element: str = "i8") -> Value:
    """Bytes with a sign as those without one, or the other way around."""
    if value.type.element == element:
        return value
    bits = writer.bitcast(value, "i8")
    turn = Context(writer, bits.type).elementwise
    bits = turn(lambda b, x: b("arith.xori", x, b.number(-SHIFT)), bits, element="i8")
    return writer.bitcast(bits, element)


def _signed(c: Context, operand: Operand, zero: Operand | None, unsigned: bool, shape) -> _Bytes:
    """`shape`: of several zero points, so that they broadcast to the operand."""
    shift = SHIFT if unsigned else 0
    point = _point(c, zero, shift, shape)
    if operand.number is None:
        codes = c.value(operand)
        if codes.type.element != "i8":
            codes = to_bytes(c, codes, unsigned)
        return _Bytes(codes, point, operand.hint)
    codes = operand.constant.astype(np.int32) - np.int32(shift)
    if isinstance(point, np.ndarray):
        moved = codes - point
        if -128 <= moved.min(initial=0) and moved.max(initial=0) <= 127:
            codes, point = moved, np.zeros((), np.int32)
    return _Bytes(codes.astype(np.int8), point, operand.hint)


def _point(c: Context, zero: Operand | None, shift: int, shape) -> Value | np.ndarray:
    """Of signed bytes; a single one has no dimensions."""
    if zero is None:
        return np.asarray(-shift, np.int32)
    shape = shape if zero.size > 1 else ()
    if zero.number is not None:
        return np.asarray(zero.constant.astype(np.int32) - np.int32(shift)).reshape(shape)
    whole = c.context(tuple(zero.shape), _I32)
    point = to_integer(whole, zero)
    if shift:
        point = whole.elementwise(lambda b, z: b("sub", z, b.number(shift)), point)
    return c.writer.reshape(point, shape)


def _added(c: Context, value: _Bytes, dims) -> Value | np.ndarray:
    """The sums along dimensions, which keep the size 1."""
    if isinstance(value.value, np.ndarray):
        return value.value.astype(np.int32).sum(tuple(dims), keepdims=True, dtype=np.int32)
    w, rank = c.writer, len(value.value.shape)
    kept = [d for d in range(rank) if d not in dims]
    sums = w.generic(
        lambda b, x, total: b("add", total, b.from_signed(x)),
        [value.value],
        [range(rank)],
        w.fill(0, TensorType(tuple(value.value.shape[d] for d in kept), _I32)),
        kept,
        _I32,
    )
    return w.reshape(sums, [1 if d in dims else s for d, s in enumerate(value.value.shape)])


def _corrected(c: Context, product: Value, x: _Bytes, y: _Bytes, sum_x, sum_y, count: int) -> Value:
    """`product` with what zero points take off. The sums are functions: not all are wanted."""
    wanted = []  # A number and two factors, whose product is added.
    if y.has_zero:
        wanted.append((-1, y.zero, sum_x()))
    if x.has_zero:
        wanted.append((-1, x.zero, sum_y()))
    if x.has_zero and y.has_zero:
        wanted.append((count, x.zero, y.zero))
    if not wanted:
        return product
    operands, terms = [product], []
    for number, *factors in wanted:
        if all(isinstance(factor, np.ndarray) for factor in factors):
            with np.errstate(over="ignore"):
                factors = [np.asarray(np.int32(number) * factors[0] * factors[1])]
            number = 1
        terms.append((number, range(len(operands), len(operands) + len(factors))))
        operands += [constant(f) if isinstance(f, np.ndarray) else f for f in factors]

    def build(b, total, *names):
        for number, (first, *second) in terms:
            term = names[first - 1]
            for place in second:
                term = b("mul", term, names[place - 1])
            if number != 1:
                term = b("mul", term, b.number(number))
            total = b("add", total, term)
        return total

    return c.elementwise(build, *operands)


def multiply(c: Context, x, y, zero_x, zero_y, unsigned: tuple[bool, bool]) -> Value:
    """Matrices, or batches of them; a zero point for each row of x, for each column of y."""
    rows = _rows(zero_x, len(x.shape), -1)
    columns = _rows(zero_y, len(y.shape), -2)
    lhs = _signed(c, x, zero_x, unsigned[0], rows)
    rhs = _signed(c, y, zero_y, unsigned[1], columns)
    product = matmul(c, lhs.written(c), rhs.written(c))

    def along(value: _Bytes, dim: int, other: int):
        """The sums along the depth, beside the result; `other`: the rank of the other operand."""
        rank = len(value.value.shape)
        sums = _added(c, value, [rank + dim if rank > 1 else 0])
        # A vector adds no dimension to the result.
        if rank == 1 or other == 1:
            shape = [s for d, s in enumerate(sums.shape) if rank > 1 and d != rank + dim]
            return _reshaped(c, sums, shape)
        return sums

    return _corrected(
        c,
        product,
        lhs,
        rhs,
        lambda: along(lhs, -1, len(y.shape)),
        lambda: along(rhs, -2, len(x.shape)),
        x.shape[-1],
    )


def linear(c: Context, x, y, *zeros) -> Value:
    """`multiply` by a constant whose rows are the filters."""
    transposed = dataclasses.replace(y, shape=y.shape[::-1], constant=y.constant.T)
    return multiply(c, x, transposed, *zeros)


def _rows(zero: Operand | None, rank: int, dim: int) -> tuple[int, ...]:
    """The shape of zero points that lie along the other one of the last two dimensions."""
    if zero is None or len(zero.shape) == rank or rank < 2:
        return () if zero is None else tuple(zero.shape)
    return (zero.size, 1) if dim == -1 else (1, zero.size)


def convolve(
    c: Context, x, weight, zero_x, zero_w, unsigned, stride, low, high, dilation, groups
) -> Value:
    """As `products.convolve`, by constant or computed filters, with one zero point for each of
    them; what is padded is the input's zero point."""
    w, trailing = c.writer, [1] * (len(x.shape) - 2)
    image = _signed(c, x, zero_x, unsigned[0], ())
    filters = _signed(c, weight, zero_w, unsigned[1], (c.shape[1], 1, *trailing))
    fill = w.byte_of(image.zero) if isinstance(image.zero, Value) else int(image.zero)
    value = w.pad(image.written(c), [0, 0, *low], [0, 0, *high], fill)

    def along_channels(numbers):
        """One number for each filter, beside the result."""
        return _reshaped(c, numbers, (c.shape[1], *trailing)) if numbers.shape else numbers

    def by(filters: Value, channels: int) -> Value:
        shape = (c.shape[0], channels, *c.shape[2:])
        none = [0] * len(trailing)
        result = Context(w, TensorType(shape, _I32))
        return convolve_values(result, value, filters, stride, none, none, dilation, groups)

    def windows() -> Value:
        channels = 1 if groups == 1 else c.shape[1]
        ones = np.ones((channels, *weight.shape[1:]), np.int8)
        return by(w.constant(ones, "ones"), channels)

    def sums():
        return along_channels(_added(c, filters, range(1, len(x.shape))))

    product = by(filters.written(c), c.shape[1])
    filters.zero = along_channels(filters.zero)
    count = math.prod(weight.shape[1:])
    return _corrected(c, product, image, filters, windows, sums, count)


def _reshaped(c: Context, numbers, shape):
    return (
        c.writer.reshape(numbers, shape) if isinstance(numbers, Value) else numbers.reshape(shape)
    )
