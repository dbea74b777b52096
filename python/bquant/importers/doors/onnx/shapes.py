"""Operators of ONNX that move or reshape data and compute nothing."""

from __future__ import annotations

from ... import UnsupportedOp
from ...linalg import elementwise, places, shapes
from ...linalg.context import positive
from ...shapes import Batch, TensorType
from .context import Node, array, lowering, numbers


@lowering("Reshape", "Flatten", "Squeeze", "Unsqueeze", moves=True)
def reshape(n: Node, x, *_):
    """The result type says it all."""
    return shapes.reshape(n.c, x)


@lowering("Transpose", moves=True)
def transpose(n: Node, x):
    return shapes.transpose(n.c, x, n.get("perm", range(len(x.shape))[::-1]))


@lowering("Expand", moves=True)
def expand(n: Node, x, *_):
    return elementwise.expand(n.c, x)


@lowering("ConstantOfShape")
def constant_of_shape(n: Node, *_):
    return n.writer.fill(n.get("value").item() if "value" in n.attributes else 0.0, n.c.type)


@lowering("Concat", moves=True)
def concat(n: Node, *tensors):
    return shapes.concatenate(n.c, tensors, positive(n.get("axis"), len(n.c.shape)))


@lowering("Split", moves=True)
def split(n: Node, x, *_):
    axis = positive(n.get("axis", 0), len(x.shape))
    return shapes.split([n.context(type_) for type_ in n.types], x, axis)


@lowering("Slice", moves=True)
def slice_(n: Node, x, starts, ends, axes=None, steps=None):
    rank, starts = len(x.shape), numbers(starts, "starts")
    axes = range(rank) if axes is None else numbers(axes, "axes")
    steps = [1] * len(starts) if steps is None else numbers(steps, "steps")
    offsets, strides = [0] * rank, [1] * rank
    for start, axis, step in zip(starts, axes, steps, strict=False):
        axis = positive(axis, rank)
        if n.c.shape[axis] == x.shape[axis] and step == 1:
            continue
        if step < 0:
            raise UnsupportedOp(f"expected steps of at least 1, but got {step}")
        if isinstance(x.shape[axis], Batch):
            raise UnsupportedOp("expected all of the batch, but got a part of it")
        offsets[axis], strides[axis] = (
            min(max(positive(start, x.shape[axis]), 0), x.shape[axis]),
            step,
        )
    return shapes.extract(n.c, x, offsets, n.c.shape, strides)


@lowering("Gather", moves=True)
def gather(n: Node, x, indices):
    rank = len(x.shape)
    axis = positive(n.get("axis", 0), rank)
    if indices.constant is None:
        return places.select(n.c, x, places.wrap(n.c, indices, x.shape[axis]), axis)
    index = array(indices, "indices")
    if isinstance(x.shape[axis], Batch):
        raise UnsupportedOp("expected all of the batch, but got a part of it")
    every = [positive(i, x.shape[axis]) for i in index.reshape(-1).tolist()]
    c = n.context(TensorType((*x.shape[:axis], len(every), *x.shape[axis + 1 :]), n.c.type.element))
    return n.writer.reshape(shapes.take(c, x, axis, every), n.c.shape)


@lowering("Pad", integers=True)
def pad(n: Node, x, pads, value=None, axes=None):
    mode, rank = n.get("mode", "constant"), len(x.shape)
    if mode not in ("constant", *shapes.PAD_MODES):
        known = ", ".join(("constant", *shapes.PAD_MODES))
        raise UnsupportedOp(f"expected one of {known} as mode, but got '{mode}'")
    pads, low, high = numbers(pads, "pads"), [0] * rank, [0] * rank
    axes = range(rank) if axes is None else numbers(axes, "axes")
    for i, axis in enumerate(axes):
        low[axis], high[axis] = pads[i], pads[i + len(pads) // 2]
    if min(low + high) < 0:
        raise UnsupportedOp(f"expected a padding of at least 0, but got {pads}")
    if mode != "constant":
        return shapes.pad_by_elements(n.c, x, low, high, mode)
    fill = 0.0 if value is None else float(array(value, "values").item())
    return shapes.pad(n.c, x, low, high, fill)
