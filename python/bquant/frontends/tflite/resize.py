"""Resizing of images of TensorFlow Lite, one direction after the other."""

from __future__ import annotations

import numpy as np

from ..common.operators import shapes as emit
from ..common.table import operator
from .context import Op

HALF = np.float32(0.5)


def _scaled(op: Op, dim: int, size: int, start: np.float32) -> np.ndarray:
    """Where the elements of a resized dimension, `start` behind the place of each, lie in the one
    it was: in float32, whose rounding decides which element is the nearest one."""
    out = op.shape[dim]
    scale = np.float32(size) / np.float32(out)
    if op.get("AlignCorners", False) and out > 1:
        scale = np.float32(size - 1) / np.float32(out - 1)
    return (np.arange(out, dtype=np.float32) + start) * scale


@operator(tflite="RESIZE_BILINEAR")
def resize_bilinear(op: Op, x, _):
    half = HALF if op.get("HalfPixelCenters", False) else np.float32(0)
    return emit.resize(op, x, (1, 2), lambda dim: _scaled(op, dim, x.shape[dim], half) - half)


@operator(tflite="RESIZE_NEAREST_NEIGHBOR")
def resize_nearest(op: Op, x, _):
    half = HALF if op.get("HalfPixelCenters", False) else 0

    def nearest(at):
        return np.floor(at + HALF if op.get("AlignCorners", False) else at)

    return emit.resize(op, x, (1, 2), lambda dim: _scaled(op, dim, x.shape[dim], half), nearest)
