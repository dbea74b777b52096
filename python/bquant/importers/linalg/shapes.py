"""Operations that move or reshape data and compute nothing."""

from __future__ import annotations

from ..mlir import Value, Writer
from ..shapes import TensorType
from .context import Context


def reshape(c: Context, x):
    """The result type says it all."""
    return x if x.shape == c.shape else c.writer.reshape(c.value(x), c.shape)


def transpose(c: Context, x, permutation):
    permutation = list(permutation)
    if permutation == sorted(permutation):
        return x
    return c.writer.transpose(c.value(x), permutation)


def pad(c: Context, x, low, high, fill: float):
    return c.writer.pad(c.value(x), low, high, fill)


def extract(c: Context, x, offsets, sizes, steps):
    """`sizes` are of x's rank; the result may lack some that are 1."""
    value = c.value(x)
    sizes = c.writer.sizes(sizes)
    return c.writer.op(
        f"tensor.extract_slice {value.name}{list(offsets)} {sizes} {list(steps)} : "
        f"{value.type} to {c.type}",
        c.type,
    )


def split(contexts: list[Context], x, dim: int):
    """The pieces of `x` along `dim`; the result types say how large they are."""
    rank, pieces, start = len(x.shape), [], 0
    for c in contexts:
        sizes, offsets = list(x.shape), [0] * rank
        sizes[dim] = c.shape[dim] if len(c.shape) == rank else 1
        offsets[dim] = start
        start = start + sizes[dim]
        pieces.append(extract(c, x, offsets, sizes, [1] * rank))
    return pieces


def concatenate(c: Context, tensors, dim: int):
    rank, w = len(c.shape), c.writer
    result, start = w.empty(c.type), 0
    for x in tensors:
        value, offsets = c.value(x), [0] * rank
        offsets[dim] = start
        start = start + x.shape[dim]
        result = w.op(
            f"tensor.insert_slice {value.name} into {result.name}{offsets} {w.sizes(x.shape)} "
            f"{[1] * rank} : {value.type} into {c.type}",
            c.type,
        )
    return result


def spread(w: Writer, value: Value, steps) -> Value:
    """`value` with zeros between the elements of its last dimensions, one step from the next."""
    if all(step == 1 for step in steps):
        return value
    rank, first = len(value.shape), len(value.shape) - len(steps)
    sizes = (s * (n - 1) + 1 for s, n in zip(steps, value.shape[first:], strict=True))
    type_ = TensorType((*value.shape[:first], *sizes), value.type.element)
    return w.op(
        f"tensor.insert_slice {value.name} into {w.fill(0.0, type_).name}{[0] * rank} "
        f"{w.sizes(value.shape)} {[1] * first + list(steps)} : {value.type} into {type_}",
        type_,
    )
