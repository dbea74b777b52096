"""What moves or reshapes in TensorFlow Lite, and the arithmetic of shapes."""

from __future__ import annotations

import math

import numpy as np

from ... import UnsupportedOp
from ...linalg import shapes as emit
from ...linalg.context import positive
from ...linalg.elementwise import full_like
from .context import Op, array, lowering, numbers
from .elementwise import activate


@lowering("RESHAPE", "SQUEEZE", "EXPAND_DIMS")
def reshape(op: Op, x, *_):
    return emit.reshape(op.c, x)


@lowering("TRANSPOSE")
def transpose(op: Op, x, permutation):
    return emit.transpose(op.c, x, numbers(permutation, "dimensions"))


@lowering("CONCATENATION")
def concatenate(op: Op, *tensors):
    result = emit.concatenate(op.c, tensors, positive(op.get("Axis"), len(op.c.shape)))
    return activate(op.c, result, op.get("FusedActivationFunction", 0))


@lowering("PACK")
def pack(op: Op, *tensors):
    dim = positive(op.get("Axis", 0), len(op.c.shape))
    shape = (*op.c.shape[:dim], 1, *op.c.shape[dim + 1 :])
    parts = [emit.reshape(op.context(shape, op.c.type.element), x) for x in tensors]
    return emit.concatenate(op.c, parts, dim)


def _contexts(op: Op):
    return [op.context(type_.shape, type_.element) for type_ in op.types]


@lowering("SPLIT")
def split(op: Op, dim, x):
    return emit.split(_contexts(op), x, positive(int(array(dim, "dimensions")), len(x.shape)))


@lowering("SPLIT_V")
def split_by_sizes(op: Op, x, sizes, dim):
    return emit.split(_contexts(op), x, positive(int(array(dim, "dimensions")), len(x.shape)))


@lowering("UNPACK")
def unpack(op: Op, x):
    return emit.split(_contexts(op), x, positive(op.get("Axis", 0), len(x.shape)))


@lowering("SLICE")
def slice_(op: Op, x, begin, size):
    return emit.extract(op.c, x, numbers(begin, "places"), op.c.shape, [1] * len(x.shape))


@lowering("STRIDED_SLICE")
def strided_slice(op: Op, x, begin, end, strides):
    if op.get("EllipsisMask", 0) or op.get("NewAxisMask", 0):
        raise UnsupportedOp("expected slices without an ellipsis or new dimensions")
    shrunk, offsets, sizes, steps = op.get("ShrinkAxisMask", 0), [], [], []
    value = x
    triples = zip(
        numbers(begin, "places"), numbers(end, "places"), numbers(strides, "steps"), strict=True
    )
    for dim, (first, last, step) in enumerate(triples):
        size = x.shape[dim]
        whole = op.get("BeginMask", 0) >> dim & 1 and op.get("EndMask", 0) >> dim & 1
        if not isinstance(size, int):
            if not whole or step != 1:
                raise UnsupportedOp("expected slices that take the whole batch")
            offsets, sizes, steps = [*offsets, 0], [*sizes, size], [*steps, 1]
            continue
        places = range(size)[
            slice(
                None if op.get("BeginMask", 0) >> dim & 1 else first,
                None if op.get("EndMask", 0) >> dim & 1 else last,
                step,
            )
        ]
        if shrunk >> dim & 1:
            places = range(size)[first : first + 1 if first != -1 else None]
        if step < 0:
            shape = (*value.shape[:dim], len(places), *value.shape[dim + 1 :])
            value = emit.take(op.context(shape, op.c.type.element), value, dim, list(places))
            places = range(len(places))
        offsets.append(places.start)
        sizes.append(len(places))
        steps.append(places.step)
    return emit.reshape(
        op.c, emit.extract(op.context(sizes, op.c.type.element), value, offsets, sizes, steps)
    )


@lowering("PAD", "PADV2")
def pad(op: Op, x, paddings, fill=None):
    low, high = array(paddings, "paddings").T.tolist()
    return emit.pad(op.c, x, low, high, 0.0 if fill is None else float(array(fill, "numbers")))


@lowering("MIRROR_PAD")
def mirror_pad(op: Op, x, paddings):
    if op.get("Mode", 0) != 0:
        raise UnsupportedOp("expected REFLECT as mode, but got SYMMETRIC")
    low, high = array(paddings, "paddings").T.tolist()
    return emit.pad_by_elements(op.c, x, low, high, "reflect")


@lowering("TILE", "BROADCAST_TO")
def tile(op: Op, x, *_):
    value = x
    for dim, (size, wanted) in enumerate(zip(x.shape, op.c.shape, strict=True)):
        if size != wanted:
            shape = (*value.shape[:dim], wanted, *value.shape[dim + 1 :])
            index = [i % size for i in range(wanted)]
            value = emit.take(op.context(shape, op.c.type.element), value, dim, index)
    return value


@lowering("FILL")
def fill(op: Op, _, value):
    return full_like(op.c, op.writer.empty(op.c.type), float(array(value, "numbers")))


@lowering("GATHER")
def gather(op: Op, x, places):
    dim, index = positive(op.get("Axis", 0), len(x.shape)), array(places, "places")
    size = x.shape[dim]
    at = [int(i) for i in index.reshape(-1)]
    if not all(0 <= i < size for i in at):
        raise UnsupportedOp(f"expected places below {size}, but got {at}")
    shape = (*x.shape[:dim], len(at), *x.shape[dim + 1 :])
    return emit.reshape(op.c, emit.take(op.context(shape, op.c.type.element), x, dim, at))


def _places(op: Op, dim: int, size: int) -> np.ndarray:
    """Where the elements of a resized dimension lie in the one it was."""
    out = op.c.shape[dim]
    at = np.arange(out, dtype=np.float64)
    if op.get("AlignCorners", False):
        return at * ((size - 1) / (out - 1)) if out > 1 else at * 0
    scale = size / out
    return (at + 0.5) * scale - 0.5 if op.get("HalfPixelCenters", False) else at * scale


@lowering("RESIZE_BILINEAR")
def resize_bilinear(op: Op, x, _):
    value = x
    for dim in (1, 2):
        shape = (*value.shape[:dim], op.c.shape[dim], *value.shape[dim + 1 :])
        value = emit.interpolate(op.context(shape), value, dim, _places(op, dim, x.shape[dim]))
    return value


@lowering("RESIZE_NEAREST_NEIGHBOR")
def resize_nearest(op: Op, x, _):
    value = x
    for dim in (1, 2):
        size, out = x.shape[dim], op.c.shape[dim]
        at = np.arange(out, dtype=np.float64)
        if op.get("AlignCorners", False):
            scale = (size - 1) / (out - 1) if out > 1 else 0.0
            at = np.floor(at * scale + 0.5)
        else:
            at = np.floor((at + (0.5 if op.get("HalfPixelCenters", False) else 0)) * (size / out))
        shape = (*value.shape[:dim], out, *value.shape[dim + 1 :])
        index = np.clip(at, 0, size - 1).astype(int).tolist()
        value = emit.take(op.context(shape), value, dim, index)
    return value


@lowering("DEPTH_TO_SPACE", "SPACE_TO_DEPTH")
def blocks(op: Op, x):
    n, height, width, channels = x.shape
    block, w = op.get("BlockSize"), op.writer
    if op.operator.name == "DEPTH_TO_SPACE":
        shape = (n, height, width, block, block, channels // block**2)
    else:
        shape = (n, height // block, block, width // block, block, channels)
    split = w.reshape(op.c.value(x), shape)
    return w.reshape(w.transpose(split, [0, 1, 3, 2, 4, 5]), op.c.shape)


# The arithmetic of shapes, in NumPy: name -> (op, *arrays) to arrays.
FOLDED = {
    "ADD": lambda op, x, y: x + y,
    "SUB": lambda op, x, y: x - y,
    "MUL": lambda op, x, y: x * y,
    "DIV": lambda op, x, y: x // y if x.dtype.kind == "i" else x / y,
    "FLOOR_DIV": lambda op, x, y: x // y,
    "MAXIMUM": lambda op, x, y: np.maximum(x, y),
    "MINIMUM": lambda op, x, y: np.minimum(x, y),
    "CONCATENATION": lambda op, *xs: np.concatenate(xs, op.get("Axis", 0)),
    "PACK": lambda op, *xs: np.stack(xs, op.get("Axis", 0)),
    "GATHER": lambda op, x, at: np.take(x, at, op.get("Axis", 0)),
    "RESHAPE": lambda op, x, *_: x.reshape(op.c.shape),
    "SQUEEZE": lambda op, x: x.reshape(op.c.shape),
    "EXPAND_DIMS": lambda op, x, _: x.reshape(op.c.shape),
    "TRANSPOSE": lambda op, x, order: x.transpose(order),
    "REDUCE_PROD": lambda op, x, dims: np.prod(x, tuple(dims.reshape(-1))).reshape(op.c.shape),
    "STRIDED_SLICE": lambda op, x, first, last, step: _sliced(op, x, first, last, step),
    "SLICE": lambda op, x, first, size: x[
        tuple(slice(f, None if s < 0 else f + s) for f, s in zip(first, size, strict=True))
    ],
}


def _sliced(op: Op, x, first, last, step):
    if op.get("EllipsisMask", 0) or op.get("NewAxisMask", 0):
        raise UnsupportedOp("expected slices without an ellipsis or new dimensions")
    index = []
    for dim in range(len(first)):
        if op.get("ShrinkAxisMask", 0) >> dim & 1:
            index.append(int(first[dim]))
            continue
        index.append(
            slice(
                None if op.get("BeginMask", 0) >> dim & 1 else int(first[dim]),
                None if op.get("EndMask", 0) >> dim & 1 else int(last[dim]),
                int(step[dim]),
            )
        )
    return x[tuple(index)]


def size_of(shape) -> int:
    return math.prod(shape)
