"""Operations that move or reshape data and compute nothing."""

from __future__ import annotations

from ... import UnsupportedOp
from ...linalg import shapes as emit
from ...linalg.context import Context, positive
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
    """`pad` goes from the last dimension to the first, low and high by turns."""
    rank = len(x.shape)
    low, high = [0] * rank, [0] * rank
    for i in range(len(pad) // 2):
        low[rank - 1 - i], high[rank - 1 - i] = pad[2 * i], pad[2 * i + 1]
    if min(low + high) < 0:
        raise UnsupportedOp(f"expected a padding of at least 0, but got {list(pad)}")
    return emit.pad(c, x, low, high, float(value or 0.0))


@lowering("aten.pad.default")
def pad(c: Context, x, pad, mode="constant", value=None):
    if mode != "constant":
        raise UnsupportedOp(f"expected constant padding, but got '{mode}'")
    return constant_pad(c, x, pad, value)


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
    offsets[dim], steps[dim] = positive(start or 0, x.shape[dim]), step
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
MOVES = frozenset(name for name, lower in LOWERINGS.items() if lower.__module__ == __name__)
