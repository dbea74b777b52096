"""Resizing of images of TensorFlow Lite, one direction after the other."""

from __future__ import annotations

import numpy as np

from ..common.operators import resize as emit
from ..common.table import operator
from .context import Op


def _places(op: Op, x, mode: str):
    """`place` of `emit.resize`, by `mode` where centers are half pixels."""
    mode = mode if op.get("HalfPixelCenters", False) else "asymmetric"

    def place(dim):
        size, out = x.shape[dim], op.shape[dim]
        scale = np.float32(size) / np.float32(out)
        if op.get("AlignCorners", False) and out > 1:
            scale = np.float32(size - 1) / np.float32(out - 1)
        return emit.coordinates(mode, size, out, lambda at: at * scale)

    return place


@operator(tflite="RESIZE_BILINEAR")
def resize_bilinear(op: Op, x, _):
    return emit.resize(op, x, (1, 2), _places(op, x, "half_pixel"))


@operator(tflite="RESIZE_NEAREST_NEIGHBOR")
def resize_nearest(op: Op, x, _):
    def nearest(at):
        return np.floor(at + np.float32(0.5) if op.get("AlignCorners", False) else at)

    return emit.resize(op, x, (1, 2), _places(op, x, "tf_half_pixel_for_nn"), nearest)
