"""Operators of ONNX that move or reshape data and compute nothing."""

from __future__ import annotations

from ..common.operators import places, shapes
from ..common.operators.context import array, numbers, positive
from ..common.shapes import Batch, UnsupportedOp
from ..common.table import operator
from .context import Node


@operator(onnx="ConstantOfShape", integers=True)
def constant_of_shape(n: Node, *_):
    return n.writer.fill(n.get("value").item() if "value" in n.options else 0.0, n.type)


@operator(onnx="DepthToSpace", moves=True)
def depth_to_space(n: Node, x):
    """Channels that are the rows and columns of a block, before all others or behind them."""
    (batch, channels, height, width), size = x.shape, n.get("blocksize")
    rest, is_first = channels // size**2, n.get("mode", "DCR") == "DCR"
    blocks = (size, size, rest) if is_first else (rest, size, size)
    value = n.writer.reshape(n.value(x), (batch, *blocks, height, width))
    order = (0, 3, 4, 1, 5, 2) if is_first else (0, 1, 4, 2, 5, 3)
    return n.writer.reshape(n.writer.transpose(value, order), n.shape)


@operator(onnx="SpaceToDepth", moves=True)
def space_to_depth(n: Node, x):
    """Rows and columns of a block become channels, before all others or behind them."""
    mode = n.get("mode", "DCR")
    if mode not in ("DCR", "CRD"):
        raise UnsupportedOp(f"expected DCR or CRD as mode, but got '{mode}'")
    (batch, channels, height, width), size = x.shape, n.get("blocksize")
    blocks = (batch, channels, height // size, size, width // size, size)
    value = n.writer.reshape(n.value(x), blocks)
    order = (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4)
    return n.writer.reshape(n.writer.transpose(value, order), n.shape)


@operator(onnx="Slice", moves=True)
def slice_(n: Node, x, starts, ends, axes=None, steps=None):
    rank, starts = len(x.shape), numbers(starts, "starts")
    axes = range(rank) if axes is None else numbers(axes, "axes")
    steps = [1] * len(starts) if steps is None else numbers(steps, "steps")
    offsets, strides = [0] * rank, [1] * rank
    for start, axis, step in zip(starts, axes, steps, strict=False):
        axis = positive(axis, rank)
        if n.shape[axis] == x.shape[axis] and step == 1:
            continue
        size = x.shape[axis]
        if isinstance(size, Batch):
            raise UnsupportedOp("expected all of the batch, but got a part of it")
        first = min(max(positive(start, size), 0), size if step > 0 else size - 1)
        if step < 0:
            places = range(first, -1, step)[: n.shape[axis]]
            if not places:
                raise UnsupportedOp("expected elements, but got an empty slice")
            x = shapes.take(n, x, axis, list(places))
        else:
            offsets[axis], strides[axis] = first, step
    return shapes.extract(n, x, offsets, n.shape, strides)


@operator(onnx="Gather", moves=True)
def gather(n: Node, x, indices):
    rank = len(x.shape)
    axis = positive(n.get("axis", 0), rank)
    if indices.constant is None:
        return places.select(n, x, places.wrap(n, indices, x.shape[axis]), axis)
    index = array(indices, "indices")
    size = x.shape[axis]
    if isinstance(size, Batch):
        raise UnsupportedOp("expected all of the batch, but got a part of it")
    every = [positive(i, size) for i in index.reshape(-1).tolist()]
    if (wrong := next((i for i in every if not 0 <= i < size), None)) is not None:
        raise ValueError(f"expected indices of {size} elements, but got {wrong}")
    return n.writer.reshape(shapes.take(n, x, axis, every), n.shape)


@operator(onnx="Pad", integers=True, codes=True)
def pad(n: Node, x, pads, value=None, axes=None):
    mode, rank = n.get("mode", "constant"), len(x.shape)
    if mode not in ("constant", *shapes.PAD_MODES):
        known = ", ".join(("constant", *shapes.PAD_MODES))
        raise UnsupportedOp(f"expected one of {known} as mode, but got '{mode}'")
    pads, low, high = numbers(pads, "pads"), [0] * rank, [0] * rank
    axes = range(rank) if axes is None else numbers(axes, "axes")
    for i, axis in enumerate(axes):
        low[axis], high[axis] = pads[i], pads[i + len(pads) // 2]
    if mode != "constant":
        # Of what a padding below 0 leaves.
        x = shapes.pad(n, x, *([min(0, p) for p in pads] for pads in (low, high)), 0.0)
        low, high = ([max(0, p) for p in pads] for pads in (low, high))
        return shapes.pad_by_elements(n, x, low, high, mode)
    fill = 0.0 if value is None else float(array(value, "values").item())
    return shapes.pad(n, x, low, high, fill)
