"""What stands between DequantizeLinear and QuantizeLinear, of codes of 8 bits.

Products are sums of integers: of codes less their zero points, scaled once, by both scales. A bias
that has this scale is added to the sum, as ONNX Runtime does it, and any other one to the result.
Filters of fewer bits stay as they are written: raising makes planes of them, which are faster.

What moves elements moves the codes.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from onnx import TensorProto

from ..common.operators.context import constant
from ..common.shapes import TensorType
from .context import Coded, Node, Tensor
from .pooling import pooled_shape
from .quantize import BYTES, bytes_of, dequantize, is_unsigned, of_codes

# The codes of four bits: a filter with at most as many stays planes.
FEW = 16
# What an i32 sum stays below.
LIMIT = 1 << 31

MOVES = {
    "Concat", "DepthToSpace", "Flatten", "MaxPool", "Reshape", "Slice", "SpaceToDepth", "Squeeze",
    "Transpose", "Unsqueeze",
}  # fmt: skip


def move(n: Node, write, operands) -> Tensor | None:
    """An operator on codes, if it is one, or on what codes of one scale stand for."""
    if n.name not in MOVES or any(n.types[1:]):
        return None
    if n.name == "MaxPool":
        types = [TensorType(pooled_shape(n, operands[0]))]
        n = Node(n.writer, types, n.name, n.options, n.dtype)
    count = len(operands) if n.name == "Concat" else 1
    moved, rest = operands[:count], operands[count:]
    if n.dtype in BYTES and all(o.bytes for o in moved):
        return _move(n, write, moved, rest)
    first, *others = (o.coded for o in moved)
    if not first or not all(other and other.means_as(first) for other in (first, *others)):
        return None
    codes = [o.coded.codes for o in moved]
    if not all(code.bytes for code in codes):
        return None
    node = Node(n.writer, n.types, n.name, n.options, first.codes.dtype)
    result = dataclasses.replace(first, codes=_move(node, write, codes, rest))

    def floats():
        if bytes_of(result.codes) is None:
            return write(n, *operands)
        return dequantize(n, result.codes, result.scale, result.zero)

    return Tensor(n.shape, "f32", dtype=n.dtype, write=n.writer.later(floats), coded=result)


def _move(n: Node, write, codes, rest) -> Tensor:
    """`codes` and other operands."""
    types = [TensorType(n.shape, "i8")]

    def signed():
        node = Node(n.writer, types, n.name, n.options, n.dtype)
        return write(node, *(code.bytes for code in codes), *rest)

    return of_codes(n, n.dtype, lambda: write(n, *codes, *rest), signed)


def multiply(n: Node, x: Tensor, weight: Tensor, bias: Tensor | None, axis: int, dim: int, write):
    """A product by filters that lie along `axis`, whose results do along `dim`, and the bias that
    is still to be added; None where it is not one of codes. `write` gets a context and what
    `integers` takes: operands, zero points, and whether codes have no sign."""
    a, b = x.coded, weight.coded
    if not a or not b or not _are_inputs(n, a) or not _are_filters(b, axis):
        return None
    others = tuple(d for d in range(len(weight.shape)) if d != axis)
    zeros = np.expand_dims(b.zeros, others) if b.zeros.size > 1 else b.zeros
    moved = b.codes.constant.astype(np.int32) - zeros
    most = 255 * int(np.abs(moved).sum(others, np.int64).max())
    if np.ptp(moved) < FEW or most >= LIMIT:
        return None
    c, unsigned = n.context(n.shape, "i32"), (is_unsigned(a.codes), is_unsigned(b.codes))
    zero = a.zero
    if zero is not None:
        zero = dataclasses.replace(zero, shape=(), constant=zero.constant.reshape(-1)[0])
    total = write(c, a.codes.bytes, b.codes, zero, b.zero, unsigned)
    # Of several scales each is that of as many filters.
    repeated = weight.shape[axis] // a.scales.size if a.scales.size > 1 else 1
    scales = a.scales.repeat(repeated) * b.scales
    sums = _sums(bias, scales)
    if sums is not None and most + np.abs(sums).max() < LIMIT:
        sums, bias = constant(sums.astype(np.int32), bias.hint), None
        total = c.elementwise(lambda b, x, y: b("add", x, y), total, c.channels(sums, dim))
    ratio = n.channels(constant(scales), dim) if scales.size > 1 else scales.item()
    return n.elementwise(lambda b, x, y: b("mul", x, y), total, ratio), bias


def _are_inputs(n: Node, given: Coded) -> bool:
    """Of one zero point, with which they are padded; of several scales where each filter reads one
    channel."""
    shape = given.codes.shape
    each = n.name == "Conv" and n.get("group", 1) == shape[1] and given.axis % len(shape) == 1
    return (
        given.codes.bytes is not None
        and not np.ptp(given.zeros)
        and (given.scales.size == 1 or each)
    )


def _are_filters(given: Coded, axis: int) -> bool:
    shape = given.codes.shape
    if given.codes.constant is None or given.codes.dtype not in BYTES or 0 in shape:
        return False
    return given.is_uniform or given.axis % len(shape) == axis


def _sums(bias: Tensor | None, scales: np.ndarray) -> np.ndarray | None:
    """A bias in steps of a product."""
    given = bias and bias.coded
    if not given or given.codes.constant is None or given.codes.dtype != TensorProto.INT32:
        return None
    steps = given.codes.constant.reshape(-1).astype(np.int64)
    fits = np.broadcast_to(given.scales, steps.shape) == np.broadcast_to(scales, steps.shape)
    return None if given.zeros.any() or not fits.all() else steps
