"""Resize of ONNX, nearest and linear, one dimension after the other."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from ..common.operators import resize as emit
from ..common.operators.context import numbers
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from .context import Node

# As far from the middle of two elements a place is still in the middle, for ONNX Runtime.
_HALF = 0.5 + 1e-6

_ROUNDINGS = {
    # Of doubles, in which adding that rounds to nothing else.
    "round_prefer_floor": lambda x: np.ceil(np.float64(x) - _HALF),
    "round_prefer_ceil": lambda x: np.floor(np.float64(x) + _HALF),
    "floor": np.floor,
    "ceil": np.ceil,
}


@operator(onnx="Resize", codes=True)
def resize(n: Node, x, _=None, scales=None, sizes=None):
    mode, rank = n.get("mode", "nearest"), len(x.shape)
    if mode not in ("nearest", "linear"):
        raise UnsupportedOp(f"expected nearest or linear as mode, but got '{mode}'")
    if mode == "linear" and n.dtype != TensorProto.FLOAT:
        raise UnsupportedOp("expected nearest as mode of integers, but got 'linear'")
    if 0 in x.shape:
        raise UnsupportedOp(f"expected elements, but got an image of {x.shape}")
    if n.get("antialias", 0) and any(a > b for a, b in zip(x.shape, n.shape, strict=True)):
        raise UnsupportedOp("expected no antialias")
    axes = [axis % rank for axis in n.get("axes", range(rank))]
    given = numbers(scales, "scales") or _scales(n, x, axes, sizes)
    if not all(scale is None or 0 < scale < np.inf for scale in given):
        raise UnsupportedOp(f"expected positive scales, but got {given}")
    rounding = _ROUNDINGS.get(rule := n.get("nearest_mode", "round_prefer_floor"))
    if mode == "nearest" and rounding is None:
        raise UnsupportedOp(f"expected another nearest_mode than '{rule}'")
    scales = dict(zip(axes, given, strict=True))
    dims = [d for d, scale in scales.items() if n.shape[d] != x.shape[d] or scale not in (None, 1)]
    transformation = n.get("coordinate_transformation_mode", "half_pixel")

    def place(dim):
        size, out, scale = x.shape[dim], n.shape[dim], scales[dim]
        scale = np.float32(out) / np.float32(size) if scale is None else np.float32(scale)
        return emit.coordinates(transformation, size, out, lambda at: at / scale)

    return emit.resize(n, x, dims, place, rounding if mode == "nearest" else None)


def _scales(n: Node, x, axes, sizes) -> list:
    """Of sizes, which keep the aspect ratio where that is asked for: then one scale is that of all
    axes. None is what the result says."""
    policy = n.get("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return [None] * len(axes)
    wanted = numbers(sizes, "sizes")
    scales = [out / x.shape[axis] for axis, out in zip(axes, wanted, strict=True)]
    return [min(scales) if policy == "not_larger" else max(scales)] * len(axes)
