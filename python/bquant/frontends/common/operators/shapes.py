"""Operations that move or reshape data, and interpolation between what is moved."""

from __future__ import annotations

import numpy as np

from ..mlir import Value, Writer
from ..shapes import Batch, TensorType, UnsupportedOp, static
from ..table import operator
from .context import Context, Node, constant, numbers, positive


@operator(
    torch=(
        "aten.view.default",
        "aten.reshape.default",
        "aten._unsafe_view.default",
        "aten.view_as.default",
        "aten.flatten.using_ints",
        "aten.unflatten.int",
        "aten.squeeze.default",
        "aten.squeeze.dim",
        "aten.squeeze.dims",
        "aten.unsqueeze.default",
    ),
    onnx=("Flatten", "Reshape", "Squeeze", "Unsqueeze"),
    tflite=("EXPAND_DIMS", "RESHAPE", "SQUEEZE"),
    moves=True,
)
def reshape(c: Context, x, *_, **__):
    """The result type says it all."""
    return x if x.shape == c.shape else c.writer.reshape(c.value(x), c.shape)


def transpose(c: Context, x, permutation):
    permutation = list(permutation)
    if permutation == sorted(permutation):
        return x
    return c.writer.transpose(c.value(x), permutation)


@operator(torch="aten.permute.default", onnx="Transpose", tflite="TRANSPOSE", moves=True)
def permute(n: Node, x, order=None):
    rank = len(x.shape)
    if order is None:
        order = n.get("perm", range(rank)[::-1])
    return transpose(n, x, [positive(d, rank) for d in numbers(order, "dimensions")])


def pad(c: Context, x, low, high, fill: float):
    """A padding below 0 takes elements away."""
    value, rank = c.value(x), len(x.shape)
    if min((*low, *high), default=0) < 0:
        offsets = [max(0, -p) for p in low]
        less = [p + max(0, -q) for p, q in zip(offsets, high, strict=True)]
        sizes = [d - n if n else d for d, n in zip(value.shape, less, strict=True)]
        if any(n and (isinstance(d, Batch) or n >= d) for d, n in zip(x.shape, less, strict=True)):
            raise UnsupportedOp(f"expected a padding that leaves elements, but got {low}, {high}")
        cut = c.context(tuple(sizes), value.type.element)
        value = extract(cut, value, offsets, sizes, [1] * rank)
        low, high = ([max(0, p) for p in pads] for pads in (low, high))
    return c.writer.pad(value, low, high, fill)


def extract(c: Context, x, offsets, sizes, steps):
    """`sizes` are of x's rank; the result may lack some that are 1. Of no elements none is read."""
    if 0 in c.shape:
        return c.writer.empty(c.type)
    value = c.value(x)
    sizes = c.writer.sizes(sizes)
    return c.writer.op(
        f"tensor.extract_slice {value.name}{list(offsets)} {sizes} {list(steps)} : "
        f"{value.type} to {c.type}",
        c.type,
    )


def part(c: Context, x, dim: int, first, count, step: int = 1) -> Value:
    """`count` elements along a dimension, from the first on, one step from the next."""
    offsets, sizes, steps = [0] * len(x.shape), list(x.shape), [1] * len(x.shape)
    offsets[dim], sizes[dim], steps[dim] = first, count, step
    return extract(c, x, offsets, sizes, steps)


def split(contexts: list[Context], x, dim: int):
    """The pieces of `x` along `dim`; the result types say how large they are."""
    pieces, start = [], 0
    for c in contexts:
        count = c.shape[dim] if len(c.shape) == len(x.shape) else 1
        pieces.append(part(c, x, dim, start, count))
        start = start + count
    return pieces


@operator(
    torch=("aten.chunk.default", "aten.split.Tensor", "aten.split_with_sizes.default"),
    onnx="Split",
    tflite="UNPACK",
    moves=True,
)
def split_by_option(n: Node, x, _=None, dim=None):
    return split(n.contexts(), x, positive(n.get("axis", 0) if dim is None else dim, len(x.shape)))


# Bufferization's analysis takes a cube of the number that go into one tensor.
MOST_TOGETHER = 16


def concatenate(c: Context, tensors, dim: int):
    tensors = list(tensors)
    if len(tensors) > MOST_TOGETHER:
        parts = []
        for start in range(0, len(tensors), MOST_TOGETHER):
            some = tensors[start : start + MOST_TOGETHER]
            shape = (*c.shape[:dim], sum(x.shape[dim] for x in some), *c.shape[dim + 1 :])
            parts.append(concatenate(c.context(shape, c.type.element), some, dim))
        return concatenate(c, parts, dim)
    result, start = c.writer.empty(c.type), 0
    for x in tensors:
        result = insert(c, x, result, dim, start)
        start = start + x.shape[dim]
    return result


def insert(c: Context, part, x, dim: int, first, step: int = 1) -> Value:
    """`x` with `part` in the place of the elements from `first` on along a dimension."""
    if 0 in part.shape:
        return c.value(x)
    offsets, steps = [0] * len(x.shape), [1] * len(x.shape)
    offsets[dim], steps[dim] = first, step
    return c.writer.insert(c.value(part), c.value(x), offsets, steps)


# What pads with elements of the tensor itself, by ONNX' names.
PAD_MODES = ("edge", "reflect", "wrap")


def pad_by_elements(c: Context, x, low, high, mode: str):
    """With the nearest element, mirrored ones or those of the other end."""
    value = c.value(x)
    for dim, (before, behind) in enumerate(zip(low, high, strict=True)):
        if not before and not behind:
            continue
        size = x.shape[dim]
        if isinstance(size, Batch):
            raise UnsupportedOp("expected all of the batch, but got a padding of it")
        check_places(before + size + behind)
        at = np.arange(-before, size + behind)
        if mode == "edge":
            at = np.clip(at, 0, size - 1)
        elif mode == "wrap":
            at = at % size
        elif mode == "symmetric":
            at = np.minimum(at % (2 * size), (-1 - at) % (2 * size))
        else:
            there_and_back = max(1, 2 * (size - 1))
            at = np.minimum(at % there_and_back, -at % there_and_back)
        value = take(c, value, dim, at.tolist())
    return value


# What a model of a few bytes may ask for while it is read.
MOST_PLACES, MOST_SLICES = 1 << 22, 1 << 16


def check_places(count: int) -> None:
    if count > MOST_PLACES:
        raise UnsupportedOp(f"expected at most {MOST_PLACES} places in a row, but got {count}")


def take(c: Context, x, dim: int, index):
    """The elements at constant places along `dim`, in runs of steps: slices, put together. Of the
    result's type the element counts."""
    static(x.shape[dim])
    check_places(len(index))
    runs: list[tuple[int, int, int]] = []  # first place, how many, step
    for at in index:
        first, count, step = runs[-1] if runs else (0, 0, 0)
        if count == 1 and at > first:
            runs[-1] = first, 2, at - first
        elif count > 1 and at == first + count * step:
            runs[-1] = first, count + 1, step
        else:
            runs.append((at, 1, 1))
        if len(runs) > MOST_SLICES:
            raise UnsupportedOp(f"expected places in at most {MOST_SLICES} runs")

    def sized(count: int) -> Context:
        return c.context((*x.shape[:dim], count, *x.shape[dim + 1 :]), c.type.element)

    pieces = [part(sized(run[1]), x, dim, *run) for run in runs]
    return pieces[0] if len(pieces) == 1 else concatenate(sized(len(index)), pieces, dim)


@operator(torch="aten.repeat.default", onnx="Tile", tflite="TILE", moves=True)
def tile(n: Node, x, *_):
    """The result type says how many times."""
    value = n.writer.reshape(n.value(x), (1,) * (len(n.shape) - len(x.shape)) + tuple(x.shape))
    for dim, (size, wanted) in enumerate(zip(value.shape, n.shape, strict=True)):
        if size == wanted:
            continue
        size = static(size)
        check_places(wanted)
        value = take(n, value, dim, [i % size for i in range(wanted)])
    return value


@operator(torch="aten.flip.default", tflite="REVERSE_V2", moves=True)
def flip(n: Node, x, dims):
    value = n.value(x)
    for dim in numbers(dims, "dimensions"):
        dim = positive(dim, len(x.shape))
        value = take(n, value, dim, range(static(x.shape[dim]))[::-1])
    return value


@operator(onnx="Concat", tflite="CONCATENATION", moves=True)
def concatenate_by_option(n: Node, *tensors):
    dim = positive(n.get("axis"), len(n.shape))
    parts = [tuple(x.shape) for x in tensors]
    rest = (*n.shape[:dim], *n.shape[dim + 1 :])
    # No element may be left as it was.
    if sum(part[dim] for part in parts) != n.shape[dim] or any(
        (*part[:dim], *part[dim + 1 :]) != rest for part in parts
    ):
        raise ValueError(f"parts {list(map(list, parts))} of {list(n.shape)}")
    return concatenate(n, tensors, dim)


def interpolate(c: Context, x, dim: int, at: np.ndarray):
    """Between the two elements that each place `at` along `dim` lies between."""
    size = x.shape[dim]
    at = np.clip(at, 0, size - 1)
    low = np.floor(at).astype(np.int64)
    share = constant((at - low).astype(np.float32))
    below = take(c, x, dim, low.tolist())
    above = take(c, x, dim, np.minimum(low + 1, size - 1).tolist())

    def build(b, x, y, share):
        rest = b("sub", b.number(1.0), share)
        return b("add", b("mul", x, rest), b("mul", y, share))

    return c.elementwise(build, below, above, c.channels(share, dim))


def spread(w: Writer, value: Value, steps) -> Value:
    """`value` with zeros between the elements of its last dimensions, one step from the next."""
    if all(step == 1 for step in steps):
        return value
    rank, first = len(value.shape), len(value.shape) - len(steps)
    sizes = (s * (n - 1) + 1 for s, n in zip(steps, value.shape[first:], strict=True))
    type_ = TensorType((*value.shape[:first], *sizes), value.type.element)
    return w.insert(value, w.fill(0.0, type_), [0] * rank, [1] * first + list(steps))
