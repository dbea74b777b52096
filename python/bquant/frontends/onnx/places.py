"""Operators of ONNX that read at computed places, or order elements."""

from __future__ import annotations

import math

import numpy as np

from ..common.operators import elementwise, reductions
from ..common.operators import places as emit
from ..common.operators.context import array, positive
from ..common.shapes import INTEGERS, TensorType, UnsupportedOp, static
from ..common.table import operator
from .context import Node


@operator(onnx="GatherND", moves=True)
def gather_nd(n: Node, x, indices):
    """Constant places of the leading dimensions, which are one then."""
    if n.get("batch_dims", 0):
        raise UnsupportedOp("expected a batch_dims of 0")
    at = _leading(x, indices)
    depth = indices.shape[-1]
    merged = (math.prod(x.shape[:depth]), *x.shape[depth:])
    return emit.take(n, n.writer.reshape(n.value(x), merged), 0, at)


@operator(onnx="ScatterND", moves=True)
def scatter_nd(n: Node, x, indices, updates):
    _check_reduction(n)
    return emit.scatter(n, x, updates, _leading(x, indices))


@operator(onnx="ScatterElements", moves=True)
def scatter_elements(n: Node, x, indices, updates):
    _check_reduction(n)
    given, axis = array(indices, "indices"), positive(n.get("axis", 0), len(x.shape))
    places = list(np.indices(given.shape))
    places[axis] = given
    return emit.scatter(n, x, updates, _ravel(places, x.shape))


def _check_reduction(n: Node) -> None:
    if (kind := n.get("reduction", "none")) != "none":
        raise UnsupportedOp(f"expected none as reduction, but got '{kind}'")


def _leading(x, indices) -> np.ndarray:
    """Constant places of the leading dimensions as places of one."""
    given = array(indices, "indices")
    return _ravel(np.moveaxis(given, -1, 0), x.shape[: given.shape[-1]])


def _ravel(places, sizes) -> np.ndarray:
    sizes = [static(size) for size in sizes]
    counted = [np.where(at < 0, at + size, at) for at, size in zip(places, sizes, strict=True)]
    return np.ravel_multi_index(counted, sizes)


@operator(onnx="GatherElements", integers=True)
def gather_elements(n: Node, x, indices):
    axis = positive(n.get("axis", 0), len(x.shape))
    if any(
        d != axis and a != b
        for d, (a, b) in enumerate(zip(x.shape, indices.shape, strict=True))
    ):  # fmt: skip
        raise UnsupportedOp("expected indices of the tensor's shape but for one axis")
    return emit.gather(n, x, emit.wrap(n, indices, x.shape[axis]), axis)


@operator(onnx="TopK", integers=True)
def top_k(n: Node, x, k):
    """As many as the result has, in order whether that is asked for or not."""
    return list(emit.order(n, x, n.get("axis", -1), bool(n.get("largest", 1))))


@operator(onnx="CumSum", integers=True)
def cumulative_sum(n: Node, x, axis):
    which = {name: bool(n.get(name, 0)) for name in ("exclusive", "reverse")}
    return emit.cumulative(n, x, int(array(axis, "axes").item()), "add", **which)


@operator(onnx="OneHot", integers=True)
def one_hot(n: Node, indices, depth, values):
    off, on = array(values, "values").tolist()
    size, rank = int(array(depth, "depths").item()), len(n.shape)
    axis = positive(n.get("axis", -1), rank)
    if indices.element not in INTEGERS:
        indices = elementwise.to_integer(n.context(indices.shape, "i64"), indices)
    at = emit.wrap(n, indices, size)
    return n.elementwise(lambda b, bit, x, y: b.select(bit, x, y), _are_at(n, at, axis), on, off)


@operator(onnx="Hardmax")
def hardmax(n: Node, x):
    """1 at the first place of the maximum, else 0."""
    axis = positive(n.get("axis", -1), len(x.shape))
    rest = x.shape[:axis] + x.shape[axis + 1 :]
    at = emit.extreme(n.context(rest, "i64"), x, axis, reductions.MAXIMUM)
    found = _are_at(n, at, axis)
    return n.elementwise(lambda b, bit: b.select(bit, b.number(1.0), b.number(0.0)), found)


def _are_at(n: Node, at, axis: int):
    """Bits of the result's shape: whether a place along the axis is the given one."""
    dims = [d for d in range(len(n.shape)) if d != axis]

    def build(b, at):
        return b.compare("oeq", at, b.index(axis))

    return n.writer.elementwise(build, [(at, dims)], TensorType(n.shape, "i1"), at.type.element)
