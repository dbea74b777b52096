"""Operators of ONNX that read at computed places, or order elements."""

from __future__ import annotations

from ... import UnsupportedOp
from ...linalg import places as emit
from ...linalg import reductions
from ...linalg.context import Context, positive
from ...shapes import TensorType
from .context import Node, array, lowering


@lowering("GatherElements", integers=True)
def gather_elements(n: Node, x, indices):
    axis = positive(n.get("axis", 0), len(x.shape))
    if any(
        d != axis and a != b
        for d, (a, b) in enumerate(zip(x.shape, indices.shape, strict=True))
    ):  # fmt: skip
        raise UnsupportedOp("expected indices of the tensor's shape but for one axis")
    return emit.gather(n.c, x, emit.wrap(n.c, indices, x.shape[axis]), axis)


def _extreme(name: str, kind):
    @lowering(name, integers=True)
    def lower(n: Node, x):
        if n.get("select_last_index", 0):
            raise UnsupportedOp("expected the first of equal elements, but got the last")
        value, axis = n.c.value(x), positive(n.get("axis", 0), len(x.shape))
        rest = TensorType(value.shape[:axis] + value.shape[axis + 1 :], value.type.element)
        most = reductions.reduce(Context(n.writer, rest), value, [axis], kind)
        return emit.extreme(n.c, value, axis, most)


_extreme("ArgMax", reductions.MAXIMUM)
_extreme("ArgMin", reductions.MINIMUM)


@lowering("TopK", integers=True)
def top_k(n: Node, x, k):
    """As many as the result has, in order whether that is asked for or not."""
    return list(emit.order(n.c, x, n.get("axis", -1), bool(n.get("largest", 1))))


@lowering("CumSum", integers=True)
def cumulative_sum(n: Node, x, axis):
    if n.get("exclusive", 0) or n.get("reverse", 0):
        raise UnsupportedOp("expected inclusive sums from the front")
    return emit.cumulative(n.c, x, int(array(axis, "axes").item()), "arith.addf")


@lowering("OneHot", integers=True)
def one_hot(n: Node, indices, depth, values):
    off, on = array(values, "values").tolist()
    size, rank = int(array(depth, "depths").item()), len(n.c.shape)
    axis = positive(n.get("axis", -1), rank)
    at = emit.wrap(n.c, indices, size)
    dims = [d for d in range(rank) if d != axis]
    element = at.type.element

    def build(b, at):
        return b.compare("oeq", at, b.index(axis))

    bits = TensorType(n.c.shape, "i1")
    found = n.writer.elementwise(build, [(at, dims)], bits, element)
    return n.c.elementwise(lambda b, bit, x, y: b.select(bit, x, y), found, on, off)
