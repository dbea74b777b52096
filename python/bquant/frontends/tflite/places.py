"""Operators of TensorFlow Lite about the places of elements."""

from __future__ import annotations

from ..common.operators import places as emit
from ..common.operators import reductions
from ..common.operators import shapes as moves
from ..common.operators.context import positive
from ..common.shapes import Batch, UnsupportedOp
from .context import Op, lowering, numbers


def _extreme(name: str, kind):
    @lowering(name)
    def lower(op: Op, x, dims):
        (dim,) = numbers(dims, "dimensions")
        dim = positive(dim, len(x.shape))
        kept = op.context((*x.shape[:dim], *x.shape[dim + 1 :]), x.element)
        return emit.extreme(op.c, x, dim, reductions.reduce(kept, x, [dim], kind))


_extreme("ARG_MAX", reductions.MAXIMUM)
_extreme("ARG_MIN", reductions.MINIMUM)


@lowering("GATHER")
def gather(op: Op, x, index):
    """Computed places beyond an end read the last or the first element; TensorFlow Lite refuses
    such a call."""
    if op.get("BatchDims", 0):
        raise UnsupportedOp("expected places that are the same for each sample")
    dim = positive(op.get("Axis", 0), len(x.shape))
    size = x.shape[dim]
    if isinstance(size, Batch):
        raise UnsupportedOp("expected all of the batch in its order")
    if index.constant is None:
        return emit.select(op.c, x, index, dim)
    at = numbers(index, "places")
    if not all(0 <= i < size for i in at):
        raise UnsupportedOp(f"expected places below {size}, but got {at[:8]}")
    shape = (*x.shape[:dim], len(at), *x.shape[dim + 1 :])
    return moves.reshape(op.c, moves.take(op.context(shape, op.c.type.element), x, dim, at))
