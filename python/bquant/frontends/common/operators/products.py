"""Convolutions and matrix products. A bias is added after the product, by its own operation."""

from __future__ import annotations

import math

import numpy as np

from ..mlir import Value, Writer, windows
from ..shapes import TensorType, UnsupportedOp
from ..table import operator
from .context import Context, Operand, constant, positive
from .shapes import pad, spread


def convolve(c: Context, x, weight, bias, stride, low, high, dilation, groups):
    """N x C x W or N x C x H x W by O x I x K x L; the numbers are lists, one for each of H and W.
    A row is an image of height 1."""
    rank = len(x.shape)
    layout = {3: "N x C x W", 4: "N x C x H x W"}.get(len(weight.shape))
    if layout is None or rank != len(weight.shape):
        expected = layout or "N x C x W or N x C x H x W"
        raise UnsupportedOp(f"expected {expected}, but got {rank} dimensions")
    image, filters = c.factor(x), c.factor(weight)
    result = convolve_values(c, image, filters, stride, low, high, dilation, groups)
    return add_bias(c, result, bias, 1)


def convolve_values(c: Context, image, filters, stride, low, high, dilation, groups):
    """The same of values, without a bias."""
    w = c.writer
    if len(image.shape) == 4:
        return _convolve(c, image, filters, c.shape, stride, low, high, dilation, groups)

    def flat(shape):
        return (*shape[:2], 1, shape[2])

    result = _convolve(
        c,
        w.reshape(image, flat(image.shape)),
        w.reshape(filters, flat(filters.shape)),
        flat(c.shape),
        (1, *stride),
        (0, *low),
        (0, *high),
        (1, *dilation),
        groups,
    )
    return w.reshape(result, c.shape)


def sums_of(element: str) -> str:
    """What products of an element are summed in."""
    return "i32" if element == "i8" else "f32"


def _convolve(c: Context, image, filters, out, stride, low, high, dilation, groups):
    """N x C x H x W by O x I x K x L to `out`, without a bias."""
    w = c.writer
    image = w.pad(image, [0, 0, *low], [0, 0, *high], 0.0)
    n, channels, height, width = image.shape
    name, element = "conv_2d_nchw_fchw", sums_of(image.type.element)
    type_ = TensorType(tuple(out), element)
    if groups != 1:
        name = "conv_2d_ngchw_gfchw"
        image = w.reshape(image, [n, groups, channels // groups, height, width])
        filters = w.reshape(filters, [groups, out[1] // groups, *filters.shape[1:]])
        type_ = TensorType((n, groups, out[1] // groups, *out[2:]), element)
    init, attributes = w.fill(0.0, type_), windows(stride, dilation)
    return w.reshape(w.structured(name, [image, filters], init, attributes), out)


def convolve_nhwc(c: Context, x, weight, stride, low, high, dilation, groups, fill=0, zero=0):
    """N x H x W x C by O x K x L x I, without a bias; the numbers are those of H and W. Of bytes
    `fill` is what the image is padded with, and `zero` the zero point of the filters."""
    w, image, filters = c.writer, c.factor(x), c.factor(weight)
    image = w.pad(image, [0, *low, 0], [0, *high, 0], fill)
    name, out, type_ = "conv_2d_nhwc_fhwc", c.shape, c.type
    if groups != 1:
        name = "conv_2d_nhwgc_gfhwc"
        channels = image.shape[3] // groups
        image = w.reshape(image, [*image.shape[:3], groups, channels])
        filters = w.reshape(filters, [groups, out[3] // groups, *filters.shape[1:]])
        type_ = TensorType((*out[:3], groups, out[3] // groups), type_.element)
    init, operands = w.fill(0.0, type_), [image, filters]
    if zero:
        name, operands = f"{name}_q", [*operands, *_zero_points(w, zero)]
    return w.reshape(w.structured(name, operands, init, windows(stride, dilation)), out)


def _zero_points(w: Writer, zero: int) -> list[Value]:
    """Of an input without one, and of filters."""
    return [w.scalar(number, "i32") for number in (0, zero)]


def convolve_transposed(c: Context, x, weight: Operand, bias, stride, before, dilation, groups):
    """By constant filters I x O x K x L. With zeros between its elements, and the filters turned
    around, it is a convolution, of which the first `before` results are left out in each
    direction; the result type says how many are taken."""
    filters, kernel = weight.constant, weight.shape[2:]
    filters = filters.reshape(groups, -1, *filters.shape[1:]).swapaxes(1, 2)
    tiles = tuple(size * k for size, k in zip(x.shape[2:], kernel, strict=True))
    dense = all(d == 1 or k == 1 for d, k in zip(dilation, kernel, strict=True))
    if dense and list(stride) == list(kernel) and tiles == tuple(c.shape[2:]) and not any(before):
        return _convolve_to_tiles(c, x, filters, weight.hint, bias)
    filters = filters.reshape(-1, *filters.shape[2:])
    filters = constant(np.flip(filters, range(2, filters.ndim)), weight.hint)
    image = spread(c.writer, c.value(x), stride)
    reach = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
    low = [r - b for r, b in zip(reach, before, strict=True)]
    high = [
        out + r - size - b
        for out, r, size, b in zip(c.shape[2:], reach, image.shape[2:], low, strict=True)
    ]
    # Beyond the filters' reach the image itself is left out.
    less = ([0, 0, *(min(0, p) for p in pads)] for pads in (low, high))
    image = pad(c, image, *less, 0.0)
    low, high = ([max(0, p) for p in pads] for pads in (low, high))
    one = [1] * len(kernel)
    return convolve(c, image, filters, bias, one, low, high, dilation, groups)


def _convolve_to_tiles(c: Context, x, filters, hint, bias):
    """Filters G x O/G x I/G x K x L with strides as large as they are: each element of the image
    gives a tile of the result, by a convolution of 1 x 1 that has their taps for channels."""
    w, (groups, out, *_), kernel = c.writer, filters.shape, filters.shape[3:]
    space = len(kernel)
    # Channels last within a tile, so that it is rows of memory that move to their place.
    filters = np.moveaxis(filters, (1, 2), (-2, -1)).reshape(-1, filters.shape[2], *[1] * space)
    size = x.shape[2:]
    taps = c.context((x.shape[0], len(filters), *size), c.type.element)
    one, none = [1] * space, [0] * space
    tiles = convolve(taps, x, constant(filters, hint), None, one, none, none, one, groups)
    tiles = w.reshape(tiles, [x.shape[0], groups, *kernel, out, *size])
    places = [d for i in range(space) for d in (3 + space + i, 2 + i)]
    result = w.transpose(tiles, [0, 1, 2 + space, *places])
    return add_bias(c, w.reshape(result, c.shape), bias, 1)


def add_bias(c: Context, value, bias: Operand | None, dim: int):
    if bias is None:
        return value
    return c.elementwise(
        lambda b, x, y: b("add", x, y),
        value,
        c.channels(bias, positive(dim, len(c.shape))),
    )


def linear(c: Context, x, weight, zero=0):
    """The weights lie along the reduction, N x K: no transpose. Of bytes, `zero` is their zero
    point."""
    w = c.writer
    value, rhs = c.factor(x), c.factor(weight)
    depth, columns = rhs.shape[1], rhs.shape[0]
    rows = math.prod(value.shape[:-1])
    lhs = w.reshape(value, [rows, depth])
    type_ = TensorType((rows, columns), c.type.element)
    init = w.fill(0.0, type_)
    if zero:
        operands = [lhs, w.transpose(rhs, [1, 0]), *_zero_points(w, zero)]
        return w.reshape(w.structured("quantized_matmul", operands, init), c.shape)
    maps = ", ".join(f"affine_map<(d0, d1, d2) -> ({m})>" for m in ("d0, d2", "d1, d2", "d0, d1"))
    result = w.structured("matmul", [lhs, rhs], init, f" indexing_maps = [{maps}]")
    return w.reshape(result, c.shape)


def product(c: Context, x, y):
    """M x K by K x N, or a batch of either."""
    w, lhs, rhs = c.writer, c.factor(x), c.factor(y)
    name = "matmul" if len(lhs.shape) == 2 else "batch_matmul"
    type_ = TensorType((*lhs.shape[:-1], rhs.shape[-1]), sums_of(lhs.type.element))
    return w.structured(name, [lhs, rhs], w.fill(0.0, type_))


@operator(torch=("aten.matmul.default", "aten.mm.default", "aten.bmm.default"))
def matmul(c: Context, x, y):
    """A vector is a matrix of one row or column; leading dimensions are rows where one matrix meets
    all of them, else, broadcast, a batch."""
    w = c.writer
    lhs, rhs = c.factor(x), c.factor(y)
    depth = lhs.shape[-1]
    if len(rhs.shape) == 1:
        rhs = w.reshape(rhs, (depth, 1))
    if len(lhs.shape) == 1:
        lhs = w.reshape(lhs, (1, depth))
    if len(rhs.shape) == 2:
        rows = w.reshape(lhs, (math.prod(lhs.shape[:-1]), depth))
        return w.reshape(product(c, rows, rhs), c.shape)
    batch = c.shape[: -1 if 1 in (len(x.shape), len(y.shape)) else -2]

    def spread(value):
        shape = (*batch, *value.shape[-2:])
        if value.shape != shape:
            type_ = TensorType(shape, value.type.element)
            value = c.elementwise(lambda b, v: v, value, type_=type_)
        return w.reshape(value, (math.prod(batch), *value.shape[-2:]))

    return w.reshape(product(c, spread(lhs), spread(rhs)), c.shape)
