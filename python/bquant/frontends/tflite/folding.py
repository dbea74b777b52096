"""What depends on constants and shapes alone, in NumPy: the arithmetic of shapes, and constants
that a converter has left in other layouts or types."""

from __future__ import annotations

import math

import numpy as np

from .context import Op
from .quantized import is_coded
from .shapes import index_of

# Of more elements, operators by which a result has those of all operands multiplied are not folded.
_MOST_PAIRS = 1 << 20


FOLDED = {
    "ADD": lambda op, x, y: x + y,
    "SUB": lambda op, x, y: x - y,
    "MUL": lambda op, x, y: x * y,
    "DIV": lambda op, x, y: x / y if x.dtype.kind == "f" else np.trunc(x / y).astype(x.dtype),
    "FLOOR_DIV": lambda op, x, y: x // y,
    "FLOOR_MOD": lambda op, x, y: x % y,
    "MAXIMUM": lambda op, x, y: np.maximum(x, y),
    "MINIMUM": lambda op, x, y: np.minimum(x, y),
    "GATHER": lambda op, x, at: np.take(x, at, op.get("Axis", 0)),
    "CONCATENATION": lambda op, *xs: np.concatenate(xs, op.get("Axis", 0)),
    "PACK": lambda op, *xs: np.stack(xs, op.get("Axis", 0)),
    "RESHAPE": lambda op, x, *_: x.reshape(op.tensors[0].shape),
    "SQUEEZE": lambda op, x: x.reshape(op.tensors[0].shape),
    "EXPAND_DIMS": lambda op, x, _: x.reshape(op.tensors[0].shape),
    "TRANSPOSE": lambda op, x, order: x.transpose(order.tolist()),
    "REDUCE_PROD": lambda op, x, dims: np.prod(
        x, tuple(dims.reshape(-1).tolist()), dtype=x.dtype
    ).reshape(op.tensors[0].shape),
    "STRIDED_SLICE": lambda op, x, *places: x[index_of(op, *places)],
    "SLICE": lambda op, x, first, size: x[
        tuple(slice(f, None if s < 0 else f + s) for f, s in zip(first, size, strict=True))
    ],
    "CAST": lambda op, x, *_: x.astype(op.tensors[0].type),
    "DEQUANTIZE": lambda op, x: x,
}
_OF_PAIRS = {
    "ADD", "SUB", "MUL", "DIV", "FLOOR_DIV", "FLOOR_MOD", "MAXIMUM", "MINIMUM", "GATHER",
}  # fmt: skip
_OF_CODES = {"RESHAPE", "SQUEEZE", "EXPAND_DIMS", "TRANSPOSE"}


def can(op: Op, operands) -> bool:
    name = op.operator.name
    if name not in FOLDED or not operands or op.activation:
        return False
    if is_coded(op.tensors[0]) and name not in _OF_CODES:
        return False  # results would have to be rounded
    if any(operand is None or operand.constant is None for operand in operands):
        return False
    return name not in _OF_PAIRS or math.prod(o.size for o in operands) <= _MOST_PAIRS


def fold(op: Op, arrays) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(FOLDED[op.operator.name](op, *arrays))
