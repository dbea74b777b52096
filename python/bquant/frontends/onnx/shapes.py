"""Operators of ONNX that move or reshape data and compute nothing."""

from __future__ import annotations

from ..common.operators import elementwise, places, shapes
from ..common.operators.context import positive
from ..common.shapes import Batch, TensorType, UnsupportedOp
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


@lowering("Tile", moves=True)
def tile(n: Node, x, repeats):
    value = n.c.value(x)
    for axis, times in enumerate(numbers(repeats, "repeats")):
        if times == 1:
            continue
        if isinstance(x.shape[axis], Batch):
            raise UnsupportedOp("expected all of the batch in its order")
        shapes.check_places(x.shape[axis] * times)
        value = _at(n, value, axis, list(range(x.shape[axis])) * times)
    return value


@lowering("DepthToSpace", moves=True)
def depth_to_space(n: Node, x):
    """Channels that are the rows and columns of a block, before all others or behind them."""
    (batch, channels, height, width), size = x.shape, n.get("blocksize")
    rest, is_first = channels // size**2, n.get("mode", "DCR") == "DCR"
    blocks = (size, size, rest) if is_first else (rest, size, size)
    value = n.writer.reshape(n.c.value(x), (batch, *blocks, height, width))
    order = (0, 3, 4, 1, 5, 2) if is_first else (0, 1, 4, 2, 5, 3)
    return n.writer.reshape(n.writer.transpose(value, order), n.c.shape)


@lowering("SpaceToDepth", moves=True)
def space_to_depth(n: Node, x):
    (batch, channels, height, width), size = x.shape, n.get("blocksize")
    blocks = (batch, channels, height // size, size, width // size, size)
    value = n.writer.reshape(n.c.value(x), blocks)
    return n.writer.reshape(n.writer.transpose(value, (0, 3, 5, 1, 2, 4)), n.c.shape)


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
        size = x.shape[axis]
        if isinstance(size, Batch):
            raise UnsupportedOp("expected all of the batch, but got a part of it")
        first = min(max(positive(start, size), 0), size if step > 0 else size - 1)
        if step < 0:
            places = range(first, -1, step)[: n.c.shape[axis]]
            if not places:
                raise UnsupportedOp("expected elements, but got an empty slice")
            x = _at(n, x, axis, list(places))
        else:
            offsets[axis], strides[axis] = first, step
    return shapes.extract(n.c, x, offsets, n.c.shape, strides)


def _at(n: Node, x, axis: int, places: list[int]):
    """The elements at constant places of an axis."""
    type_ = TensorType((*x.shape[:axis], len(places), *x.shape[axis + 1 :]), n.c.type.element)
    return shapes.take(n.context(type_), x, axis, places)


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
    _check_places(every, x.shape[axis])
    return n.writer.reshape(_at(n, x, axis, every), n.c.shape)


def _check_places(places, size: int) -> None:
    for place in places:
        if not 0 <= place < size:
            raise ValueError(f"expected indices of {size} elements, but got {place}")


@lowering("Pad", integers=True, codes=True)
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
        if min(low + high) < 0:
            raise UnsupportedOp(f"expected a padding of at least 0, but got {pads}")
        return shapes.pad_by_elements(n.c, x, low, high, mode)
    fill = 0.0 if value is None else float(array(value, "values").item())
    return shapes.pad(n.c, x, low, high, fill)
