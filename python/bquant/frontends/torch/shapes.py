"""Operations that move or reshape data and compute nothing."""

from __future__ import annotations

import math

import numpy as np

from ..common.operators import elementwise
from ..common.operators import shapes as emit
from ..common.operators.context import Context, positive
from ..common.shapes import Batch, TensorType, UnsupportedOp
from . import places
from .context import LOWERINGS, lowering


@lowering(
    "aten.view.default",
    "aten.reshape.default",
    "aten._unsafe_view.default",
    "aten.view_as.default",
    "aten.flatten.using_ints",
    "aten.unflatten.int",
    "aten.squeeze.default",
    "aten.squeeze.dim",
    "aten.squeeze.dims",
    "aten.unsqueeze.default",
)
def reshape(c: Context, x, *_, **__):
    """The result type says it all."""
    return emit.reshape(c, x)


@lowering("aten.permute.default")
def permute(c: Context, x, dims):
    return emit.transpose(c, x, [positive(d, len(dims)) for d in dims])


@lowering("aten.transpose.int")
def transpose(c: Context, x, dim0, dim1):
    dims = list(range(len(x.shape)))
    dim0, dim1 = positive(dim0, len(dims)), positive(dim1, len(dims))
    dims[dim0], dims[dim1] = dims[dim1], dims[dim0]
    return permute(c, x, dims)


@lowering("aten.t.default", "aten.numpy_T.default")
def t(c: Context, x):
    return permute(c, x, list(reversed(range(len(x.shape)))))


@lowering("aten.constant_pad_nd.default")
def constant_pad(c: Context, x, pad, value=0.0):
    low, high = _ends(len(x.shape), pad)
    return emit.pad(c, x, low, high, float(value or 0.0))


@lowering("aten.pad.default")
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


def _order(c: Context, x, dim: int, at):
    """Elements at constant places of one dimension."""
    if isinstance(x.shape[dim], Batch):
        raise UnsupportedOp("expected all of the batch in its order")
    emit.check_places(len(at))
    return emit.take(c, x, dim, [positive(int(i), x.shape[dim]) for i in at])


@lowering("aten.repeat.default")
def repeat(c: Context, x, repeats):
    value = c.writer.reshape(c.value(x), [1] * (len(repeats) - len(x.shape)) + list(x.shape))
    for dim, times in enumerate(repeats):
        if times != 1:
            size = value.shape[dim]
            if isinstance(size, Batch):
                raise UnsupportedOp("expected all of the batch in its order")
            emit.check_places(size * times)
            value = _order(c, value, dim, list(range(size)) * times)
    return value


@lowering("aten.flip.default")
def flip(c: Context, x, dims):
    value = c.value(x)
    for dim in dims:
        dim = positive(dim, len(x.shape))
        value = _order(c, value, dim, range(x.shape[dim] - 1, -1, -1))
    return value


@lowering("aten.roll.default")
def roll(c: Context, x, shifts, dims=()):
    shifts, dims = ([v] if isinstance(v, int) else list(v) for v in (shifts, dims))
    value, shape = c.value(x), x.shape
    if not dims:  # as one row
        dims, shape = [0], (math.prod(shape),)
        value = c.writer.reshape(value, shape)
    for shift, dim in zip(shifts, dims, strict=True):
        dim = positive(dim, len(shape))
        size = shape[dim]
        if isinstance(size, Batch):
            raise UnsupportedOp("expected all of the batch in its order")
        emit.check_places(size)
        value = _order(c, value, dim, [(i - shift) % size for i in range(size)])
    return c.writer.reshape(value, x.shape)


def places_of(index) -> list[int]:
    if index.constant is None or index.constant.ndim != 1 or index.constant.dtype.kind not in "iu":
        raise UnsupportedOp("expected a constant vector of integers as index")
    return index.constant.tolist()


@lowering("aten.index_select.default")
def index_select(c: Context, x, dim, index):
    if places.is_computed(index):
        return places.emit.select(c, x, index, positive(dim, len(x.shape)))
    return _order(c, x, positive(dim, len(x.shape)), places_of(index))


@lowering("aten.index.Tensor")
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
    if any(isinstance(size, Batch) for size in sizes):
        raise UnsupportedOp("expected all of the batch in its order")
    counted = [np.where(a < 0, a + size, a) for a, size in zip(arrays, sizes, strict=True)]
    at = np.ravel_multi_index(np.broadcast_arrays(*counted), sizes)
    merged = (*x.shape[:first], math.prod(sizes), *x.shape[first + len(given) :])
    return places.emit.take(c, c.writer.reshape(c.value(x), merged), first, at)


def put(c: Context, x, dim: int, at, part):
    """`x[..., at] = part` for constant places of one dimension, one after the other."""
    if isinstance(x.shape[dim], Batch):
        raise UnsupportedOp("expected all of the batch in its order")
    shape = (*x.shape[:dim], len(at), *x.shape[dim + 1 :])
    part = elementwise.expand(Context(c.writer, TensorType(shape, c.type.element)), part)
    one = TensorType((*x.shape[:dim], 1, *x.shape[dim + 1 :]), c.type.element)
    for i, place in enumerate(at):
        offsets, steps = [0] * len(shape), [1] * len(shape)
        offsets[dim] = i
        piece = emit.extract(Context(c.writer, one), part, offsets, one.shape, steps)
        offsets[dim] = positive(place, x.shape[dim])
        x = emit.insert(c, piece, x, offsets, steps)
    return x


@lowering("aten.slice_scatter.default")
def slice_scatter(c: Context, x, src, dim=0, start=None, end=None, step=1):
    """`x[..., start:end:step] = src`"""
    dim = positive(dim, len(x.shape))
    if isinstance(x.shape[dim], Batch):
        if src.shape == x.shape:
            return src
        raise UnsupportedOp("expected all of the batch, but got a part of it")
    offsets, steps = [0] * len(x.shape), [1] * len(x.shape)
    offsets[dim] = min(max(positive(start or 0, x.shape[dim]), 0), x.shape[dim])
    steps[dim] = step
    return emit.insert(c, src, x, offsets, steps)


@lowering("aten.select_scatter.default")
def select_scatter(c: Context, x, src, dim, index):
    """`x[..., index] = src`"""
    dim = positive(dim, len(x.shape))
    shape = [1 if d == dim else size for d, size in enumerate(x.shape)]
    offsets = [0] * len(shape)
    offsets[dim] = positive(index, x.shape[dim])
    source = c.writer.reshape(c.value(src), shape)
    return emit.insert(c, source, x, offsets, [1] * len(shape))


def _resize(c: Context, x, scales, place_of, linear: bool):
    value, rank = c.value(x), len(x.shape)
    for dim in range(2, rank):
        size, out = x.shape[dim], c.shape[dim]
        scale = scales[dim - 2] if scales else None
        if out == size and scale in (None, 1):
            continue
        emit.check_places(out)
        at = place_of(np.arange(out), size, out, 1 / scale if scale else size / out)
        if linear:
            shape = (*value.shape[:dim], out, *value.shape[dim + 1 :])
            value = emit.interpolate(Context(c.writer, TensorType(shape)), value, dim, at)
        else:
            index = np.minimum(np.floor(at), size - 1).astype(np.int64)
            value = emit.take(c, value, dim, index.tolist())
    return value


def _corners(at, size, out, scale):
    return at * (size - 1) / max(out - 1, 1)


def _half_pixels(at, size, out, scale):
    return np.maximum((at + 0.5) * scale - 0.5, 0)


@lowering("aten.upsample_nearest1d.vec", "aten.upsample_nearest2d.vec")
def upsample_nearest(c: Context, x, output_size, scale_factors):
    return _resize(c, x, scale_factors, lambda at, size, out, scale: at * scale, linear=False)


@lowering("aten._upsample_nearest_exact2d.vec")
def upsample_nearest_exact(c: Context, x, output_size, scale_factors):
    def place_of(at, size, out, scale):
        return (at + 0.5) * scale

    return _resize(c, x, scale_factors, place_of, linear=False)


@lowering("aten.upsample_linear1d.vec", "aten.upsample_bilinear2d.vec")
def upsample_linear(c: Context, x, output_size, align_corners, scale_factors):
    return _resize(c, x, scale_factors, _corners if align_corners else _half_pixels, linear=True)


@lowering("aten.select.int")
def select(c: Context, x, dim, index):
    dim = positive(dim, len(x.shape))
    offsets, sizes = [0] * len(x.shape), list(x.shape)
    offsets[dim], sizes[dim] = positive(index, x.shape[dim]), 1
    return emit.extract(c, x, offsets, sizes, [1] * len(sizes))


@lowering("aten.narrow.default")
def narrow(c: Context, x, dim, start, length):
    return slice_(c, x, dim, start)


@lowering("aten.slice.Tensor")
def slice_(c: Context, x, dim=0, start=None, end=None, step=1):
    dim = positive(dim, len(x.shape))
    if x.shape == c.shape:
        return x
    offsets, steps = [0] * len(x.shape), [1] * len(x.shape)
    offsets[dim], steps[dim] = max(positive(start or 0, x.shape[dim]), 0), step
    return emit.extract(c, x, offsets, list(c.shape), steps)


# Operations with several results, and the position of the dimension along which they take a tensor
# apart.
SPLITS = {
    "aten.chunk.default": 2,
    "aten.split.Tensor": 2,
    "aten.split_with_sizes.default": 2,
    "aten.unbind.int": 1,
}


@lowering("aten.cat.default")
def cat(c: Context, tensors, dim=0):
    # Torch takes an empty vector for nothing.
    tensors = [x for x in tensors if len(x.shape) == len(c.shape)]
    return emit.concatenate(c, tensors, positive(dim, len(c.shape)))


# What moves elements and computes none: of any type.
MOVES = frozenset(
    name
    for name, lower in LOWERINGS.items()
    if lower.__module__ == __name__ and "upsample" not in name
)
