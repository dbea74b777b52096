"""Resizing of images of TensorFlow Lite, one direction after the other."""

from __future__ import annotations

import numpy as np

from ..common.operators import shapes as emit
from .context import Op, lowering

HALF = np.float32(0.5)


def _scaled(op: Op, dim: int, size: int, start: np.float32) -> np.ndarray:
    """Where the elements of a resized dimension, `start` behind the place of each, lie in the one
    it was: in float32, whose rounding decides which element is the nearest one."""
    out = op.c.shape[dim]
    scale = np.float32(size) / np.float32(out)
    if op.get("AlignCorners", False) and out > 1:
        scale = np.float32(size - 1) / np.float32(out - 1)
    return (np.arange(out, dtype=np.float32) + start) * scale


@lowering("RESIZE_BILINEAR")
def resize_bilinear(op: Op, x, _):
    half = op.get("HalfPixelCenters", False)
    value = x
    for dim in (1, 2):
        at = (
            _scaled(op, dim, x.shape[dim], HALF) - HALF
            if half
            else _scaled(op, dim, x.shape[dim], 0)
        )
        shape = (*value.shape[:dim], op.c.shape[dim], *value.shape[dim + 1 :])
        value = emit.interpolate(op.context(shape), value, dim, at)
    return value


@lowering("RESIZE_NEAREST_NEIGHBOR")
def resize_nearest(op: Op, x, _):
    value = x
    for dim in (1, 2):
        size, out = x.shape[dim], op.c.shape[dim]
        at = _scaled(op, dim, size, HALF if op.get("HalfPixelCenters", False) else 0)
        at = np.floor(at + HALF if op.get("AlignCorners", False) else at)
        shape = (*value.shape[:dim], out, *value.shape[dim + 1 :])
        index = np.clip(at, 0, size - 1).astype(int).tolist()
        value = emit.take(op.context(shape, op.c.type.element), value, dim, index)
    return value
