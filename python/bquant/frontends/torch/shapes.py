"""Operations that move or reshape data and compute nothing."""

from __future__ import annotations

import math

import numpy as np

from ..common.operators import elementwise, resize
from ..common.operators import shapes as emit
from ..common.operators.context import Context, Node, positive
from ..common.shapes import Batch, UnsupportedOp, static
from ..common.table import operator
from . import places


@operator(torch="aten.transpose.int", moves=True)
def transpose(c: Context, x, dim0, dim1):
    dims = list(range(len(x.shape)))
    dim0, dim1 = positive(dim0, len(dims)), positive(dim1, len(dims))
    dims[dim0], dims[dim1] = dims[dim1], dims[dim0]
    return emit.transpose(c, x, dims)


@operator(torch=("aten.t.default", "aten.numpy_T.default"), moves=True)
def t(c: Context, x):
    return emit.transpose(c, x, list(reversed(range(len(x.shape)))))


@operator(torch="aten.constant_pad_nd.default", moves=True)
def constant_pad(c: Context, x, pad, value=0.0):
    low, high = _ends(len(x.shape), pad)
    # A whole number is not made a float, which may have fewer digits.
    fill = value if isinstance(value, int) else float(value or 0.0)
    return emit.pad(c, x, low, high, fill)


@operator(torch="aten.pad.default", moves=True)
def pad(c: Context, x, pad, mode="constant", value=None):
    if mode == "constant":
        return constant_pad(c, x, pad, value)
    low, high = _ends(len(x.shape), pad)
    return emit.pad_by_elements(c, x, low, high, _PAD_MODES[mode])


_PAD_MODES = {"replicate": "edge", "circular": "wrap", "reflect": "reflect"}


def _ends(rank: int, pad) -> tuple[list[int], list[int]]:
    """Torch's list goes from the last dimension to the first, low and high by turns."""
    low, high = [0] * rank, [0] * rank
    for i in range(len(pad) // 2):
        low[rank - 1 - i], high[rank - 1 - i] = pad[2 * i], pad[2 * i + 1]
    return low, high


@operator(torch="aten.roll.default", moves=True)
def roll(c: Context, x, shifts, dims=()):
    shifts, dims = ([v] if isinstance(v, int) else list(v) for v in (shifts, dims))
    value, shape = c.value(x), x.shape
    if not dims:  # as one row
        dims, shape = [0], (math.prod(shape),)
        value = c.writer.reshape(value, shape)
    for shift, dim in zip(shifts, dims, strict=True):
        dim = positive(dim, len(shape))
        size = _static(shape[dim])
        value = emit.take(c, value, dim, [(i - shift) % size for i in range(size)])
    return c.writer.reshape(value, x.shape)


def _static(size) -> int:
    emit.check_places(static(size))
    return size


def places_of(index) -> list[int]:
    if index.constant is None or index.constant.ndim != 1 or index.constant.dtype.kind not in "iu":
        raise UnsupportedOp("expected a constant vector of integers as index")
    return index.constant.tolist()


@operator(torch="aten.index_select.default", moves=True)
def index_select(c: Context, x, dim, index):
    if places.is_computed(index):
        return places.emit.select(c, x, index, positive(dim, len(x.shape)))
    dim = positive(dim, len(x.shape))
    return emit.take(c, x, dim, [positive(i, _static(x.shape[dim])) for i in places_of(index)])


@operator(torch="aten.index.Tensor", moves=True)
def index(c: Context, x, indices):
    given = [(dim, i) for dim, i in enumerate(indices) if i is not None]
    if len(given) == 1 and places.is_computed(at := given[0][1]):
        dim = given[0][0]
        return places.emit.select(c, x, places.emit.wrap(c, at, x.shape[dim]), dim)
    return _at_places(c, x, given)


def _at_places(c: Context, x, given):
    """Elements at constant places of dimensions side by side, which are one then."""
    first, arrays = given[0][0], [i.constant for _, i in given]
    if any(a is None or a.dtype.kind not in "iu" for a in arrays) or (
        [dim for dim, _ in given] != list(range(first, first + len(given)))
    ):
        raise UnsupportedOp(
            "expected constant integers as indices of one dimension, or of some side by side"
        )
    sizes = x.shape[first : first + len(given)]
    sizes = [_static(size) for size in sizes]
    counted = [np.where(a < 0, a + size, a) for a, size in zip(arrays, sizes, strict=True)]
    at = np.ravel_multi_index(np.broadcast_arrays(*counted), sizes)
    merged = (*x.shape[:first], math.prod(sizes), *x.shape[first + len(given) :])
    return places.emit.take(c, c.writer.reshape(c.value(x), merged), first, at)


def put(c: Context, x, dim: int, at, part):
    """`x[..., at] = part` for constant places of one dimension, one after the other."""
    size = _static(x.shape[dim])
    shape = (*x.shape[:dim], len(at), *x.shape[dim + 1 :])
    part = elementwise.expand(c.context(shape, c.type.element), part)
    one = c.context((*x.shape[:dim], 1, *x.shape[dim + 1 :]), c.type.element)
    for i, place in enumerate(at):
        x = emit.insert(c, emit.part(one, part, dim, i, 1), x, dim, positive(place, size))
    return x


@operator(torch="aten.slice_scatter.default", moves=True)
def slice_scatter(c: Context, x, src, dim=0, start=None, end=None, step=1):
    """`x[..., start:end:step] = src`"""
    dim = positive(dim, len(x.shape))
    if isinstance(x.shape[dim], Batch):
        if src.shape == x.shape:
            return src
        raise UnsupportedOp("expected all of the batch, but got a part of it")
    first = min(max(positive(start or 0, x.shape[dim]), 0), x.shape[dim])
    return emit.insert(c, src, x, dim, first, step)


@operator(torch="aten.select_scatter.default", moves=True)
def select_scatter(c: Context, x, src, dim, index):
    """`x[..., index] = src`"""
    dim = positive(dim, len(x.shape))
    shape = [1 if d == dim else size for d, size in enumerate(x.shape)]
    source = c.writer.reshape(c.value(src), shape)
    return emit.insert(c, source, x, dim, positive(index, x.shape[dim]))


def _scales(x, scales) -> list:
    return [None, None, *(scales or [None] * (len(x.shape) - 2))]


def _changed(c: Context, x) -> list[int]:
    return [dim for dim in range(2, len(x.shape)) if c.shape[dim] != x.shape[dim]]


@operator(torch=("aten.upsample_linear1d.vec", "aten.upsample_bilinear2d.vec"))
def upsample_linear(c: Context, x, output_size, align_corners=False, scale_factors=None):
    """Dimensions of the same size are copied, whatever their scale."""
    scales, way = _scales(x, scale_factors), "align_corners" if align_corners else "half_pixel"

    def place(dim):
        size, out, scale = x.shape[dim], c.shape[dim], scales[dim]
        step = 1 / scale if scale else size / out
        return resize.coordinates(way, size, out, lambda at: at * step, np.float64)

    return resize.resize(c, x, _changed(c, x), place)


def _nearest(name: str, by_size: bool, offset: float):
    """Places times steps, both rounded as torch's kernels do. `by_size`: the same and twice the
    size are taken as such, whatever the scale."""

    @operator(torch=name)
    def write(c: Context, x, output_size, scale_factors=None):
        scales, dims = _scales(x, scale_factors), _changed(c, x)
        if not by_size:
            dims = [d for d in range(2, len(x.shape)) if d in dims or scales[d] not in (None, 1)]

        def place(dim):
            size, out, scale = x.shape[dim], c.shape[dim], scales[dim]
            if by_size and out == 2 * size:
                return np.arange(out) // 2
            step = np.float32(1 / scale if scale else np.float32(size) / np.float32(out))
            return (np.arange(out, dtype=np.float32) + np.float32(offset)) * step

        return resize.resize(c, x, dims, place, np.floor)


_nearest("aten.upsample_nearest1d.vec", False, 0.0)
_nearest("aten.upsample_nearest2d.vec", True, 0.0)
_nearest("aten._upsample_nearest_exact2d.vec", False, 0.5)


@operator(torch="aten.select.int", moves=True)
def select(c: Context, x, dim, index):
    dim = positive(dim, len(x.shape))
    return emit.part(c, x, dim, positive(index, x.shape[dim]), 1)


@operator(torch="aten.narrow.default", moves=True)
def narrow(c: Context, x, dim, start, length):
    return slice_(c, x, dim, start)


@operator(torch="aten.slice.Tensor", moves=True)
def slice_(c: Context, x, dim=0, start=None, end=None, step=1):
    dim = positive(dim, len(x.shape))
    if x.shape == c.shape:
        return x
    return emit.part(c, x, dim, max(positive(start or 0, x.shape[dim]), 0), c.shape[dim], step)


@operator(torch="aten.unfold.default", moves=True)
def unfold(c: Context, x, dimension, size, step):
    """Windows along a dimension, their elements along a new last one."""
    dim = positive(dimension, len(x.shape))
    count = c.shape[dim]
    at = [i * step + j for i in range(count) for j in range(size)]
    split = (*x.shape[:dim], count, size, *x.shape[dim + 1 :])
    value = c.writer.reshape(c.value(emit.take(c, x, dim, at)), split)
    order = [d for d in range(len(split)) if d != dim + 1]
    return c.writer.transpose(value, [*order, dim + 1])


@operator(torch="aten.unbind.int", moves=True)
def unbind(n: Node, x, dim=0):
    return emit.split_by_option(n, x, None, dim)


@operator(torch="aten.cat.default", moves=True)
def cat(c: Context, tensors, dim=0):
    # Torch takes an empty vector for nothing.
    tensors = [x for x in tensors if len(x.shape) == len(c.shape)]
    tensors = [elementwise.cast(c.context(x.shape, c.type.element), x) for x in tensors]
    return emit.concatenate(c, tensors, positive(dim, len(c.shape)))
