"""Images of another size."""

from __future__ import annotations

import numpy as np

from ..shapes import UnsupportedOp
from . import shapes
from .context import Context


def coordinates(mode: str, size: int, out: int, scaled, dtype=np.float32) -> np.ndarray:
    """Where in `size` elements each of `out` elements lies, by ONNX' names of the ways
    (coordinate_transformation_mode of Resize). `scaled` makes places of the input of those of the
    result: ONNX divides by a scale, TensorFlow Lite multiplies by another one, both in float32, and
    PyTorch's linear ones are in float64; which element is the nearest is decided by that
    rounding."""
    at, half = np.arange(out, dtype=dtype), dtype(0.5)
    if mode == "asymmetric":
        return scaled(at)
    if mode == "align_corners":
        return at * dtype(size - 1) / max(dtype(out - 1), dtype(1))
    if mode == "pytorch_half_pixel" and out == 1:
        return np.zeros(1, dtype)
    if mode in ("half_pixel", "pytorch_half_pixel"):
        return scaled(at + half) - half
    if mode == "tf_half_pixel_for_nn":
        return scaled(at + half)
    raise UnsupportedOp(f"expected another coordinate_transformation_mode than '{mode}'")


def resize(c: Context, x, dims, place, nearest=None):
    """Of another size, one dimension after the other. `place(dim)` says where in x each element of
    the result lies; `nearest` makes whole places of these, else it is between two elements."""
    value = c.value(x)
    for dim in dims:
        for size in (value.shape[dim], c.shape[dim]):
            shapes.check_places(shapes.static(size))
        at = place(dim)
        if nearest is None:
            shape = (*value.shape[:dim], c.shape[dim], *value.shape[dim + 1 :])
            value = shapes.interpolate(c.context(shape), value, dim, at)
        else:
            index = np.clip(nearest(at), 0, x.shape[dim] - 1).astype(np.int64)
            value = shapes.take(c, value, dim, index.tolist())
    return value
