"""Operators of TensorFlow Lite about the places of elements."""

from __future__ import annotations

from ..common.operators import places as emit
from ..common.operators import shapes as moves
from ..common.operators.context import numbers, positive
from ..common.shapes import UnsupportedOp, static
from ..common.table import operator
from .context import Op


@operator(tflite="GATHER")
def gather(op: Op, x, index):
    """Computed places beyond an end read the last or the first element; TensorFlow Lite refuses
    such a call."""
    if op.get("BatchDims", 0):
        raise UnsupportedOp("expected places that are the same for each sample")
    dim = positive(op.get("Axis", 0), len(x.shape))
    size = static(x.shape[dim])
    if index.constant is None:
        return emit.select(op, x, index, dim)
    at = numbers(index, "places")
    if not all(0 <= i < size for i in at):
        raise UnsupportedOp(f"expected places below {size}, but got {at[:8]}")
    return moves.reshape(op, moves.take(op, x, dim, at))
