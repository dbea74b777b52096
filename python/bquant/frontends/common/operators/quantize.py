"""bquant's own operations, as frontends write them."""

from __future__ import annotations

import numpy as np

from ..mlir import Value, literal
from ..shapes import TensorType
from .context import Context


def bquant_type(shape, planes, axes=(), offset: bool = False) -> str:
    """`planes`: how many with scalars of their own, or a list of ratios to one scalar."""
    parts = ["x".join(map(str, shape)), str(planes)]
    if axes:
        parts.append(f"axes = {list(axes)}")
    if offset:
        parts.append("offset")
    return f"!bquant.tensor<{', '.join(parts)}>"


def by_scheme(c: Context, x, scheme: str, planes) -> Value:
    """Quantized by scalars that are found for each sample, `ls-2` or the like."""
    value, (kind, _, count) = c.value(x), scheme.partition("-")
    type_ = bquant_type(value.shape, planes, [0])
    q = c.writer.op(
        f"bquant.quantize {value.name} scheme(<{kind}, {count}>) : {value.type} -> {type_}", type_
    )
    return dequantize(c, q, value.shape)


def by_thresholds(c: Context, x, thresholds, codes, scalars, planes, offset=None) -> Value:
    """Quantized by ranks among thresholds; `codes` are those of the ranks."""
    w, value = c.writer, c.value(x)
    type_ = bquant_type(value.shape, planes, offset=offset is not None)
    t, v = w.constant(thresholds), w.constant(scalars)
    text = (
        f"bquant.quantize {value.name} thresholds({t.name} : {t.type}) "
        f"codes {list(codes)} scalars({v.name} : {v.type})"
    )
    if offset is not None:
        o = w.constant(offset)
        text += f" offset({o.name} : {o.type})"
    return dequantize(c, w.op(f"{text} : {value.type} -> {type_}", type_), value.shape)


def of_words(
    c: Context, words: np.ndarray, scalars: np.ndarray, shape, planes, axes, hint
) -> Value:
    """The numbers of a constant that is given by the words of its planes (uint32)."""
    scalars = np.ascontiguousarray(scalars, np.float32)
    type_ = bquant_type(shape, planes, axes)
    text = (
        f"bquant.constant words({c.writer.attribute(words.view(np.int32), hint)}) "
        f"scalars({literal(scalars)} : {TensorType(scalars.shape)})"
    )
    return dequantize(c, c.writer.op(f"{text} : {type_}", type_), shape)


def dequantize(c: Context, q: Value, shape) -> Value:
    type_ = TensorType(tuple(shape))
    return c.writer.op(f"bquant.dequantize {q.name} : {q.type} -> {type_}", type_)
