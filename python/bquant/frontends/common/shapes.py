"""Shapes and element types of tensors, by MLIR's names."""

from __future__ import annotations

import math
from dataclasses import dataclass

# Elements that are computed with as integers.
INTEGERS = ("i32", "i64")

_ELEMENT = {"float32": "f32", "bool": "i1", "int32": "i32", "int64": "i64"}


class UnsupportedOp(NotImplementedError):
    """A network holds what the importer cannot translate; the message names it and its place."""


def element_type(dtype: object) -> str:
    """MLIR's name of a NumPy or torch dtype; TypeError for one that does not occur in networks."""
    name = str(dtype).rsplit(".", 1)[-1]
    if name not in _ELEMENT:
        raise TypeError(f"expected one of {', '.join(_ELEMENT)}, but got {name}")
    return _ELEMENT[name]


@dataclass(frozen=True)
class Batch:
    """A dimension that only the caller knows: `rows` times the size of the batch. It takes part in
    the arithmetic of shapes; what would depend on its value is an UnsupportedOp."""

    rows: int = 1

    def __str__(self) -> str:
        return "?"

    def __lt__(self, other: object) -> bool:
        return isinstance(other, Batch) and self.rows < other.rows

    def __gt__(self, other: object) -> bool:
        return not isinstance(other, Batch) or self.rows > other.rows

    def __mul__(self, other):
        return Batch(self.rows * other) if isinstance(other, int) else self._unknown()

    __rmul__ = __mul__

    def __floordiv__(self, other):
        rows = other.rows if isinstance(other, Batch) else other
        if self.rows % rows:
            self._unknown()
        return self.rows // rows if isinstance(other, Batch) else Batch(self.rows // rows)

    def __mod__(self, other) -> int:
        return self.rows % other if isinstance(other, int) else self._unknown()

    def _unknown(self, *_):
        raise UnsupportedOp("expected arithmetic that does not depend on the size of the batch")

    __add__ = __radd__ = __sub__ = __rsub__ = __float__ = __int__ = _unknown


def static(size: int | Batch) -> int:
    """The size of a dimension whose elements are told apart, as samples are not."""
    if isinstance(size, Batch):
        raise UnsupportedOp("expected all of the batch in its order")
    return size


@dataclass(frozen=True)
class TensorType:
    """A shape, static but for a `Batch`, and an element type, by MLIR's name."""

    shape: tuple[int | Batch, ...]
    element: str = "f32"

    def __str__(self) -> str:
        return f"tensor<{'x'.join([*map(str, self.shape), self.element])}>"


def check_sizes(old, new) -> None:
    """That two shapes have as many elements."""
    if math.prod(old) != math.prod(new):
        raise ValueError(f"expected shapes of equal size, but got {old} and {new}")


def reassociation(old, new) -> list[tuple[list[int], list[int]]]:
    """Pairs of runs of dimensions of two shapes with the same product, as many as there can be."""
    check_sizes(old, new)
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        a, b, left, right = [i], [j], old[i], new[j]
        i, j = i + 1, j + 1
        while left != right:
            if left < right:
                a, left, i = [*a, i], left * old[i], i + 1
            else:
                b, right, j = [*b, j], right * new[j], j + 1
        groups.append((a, b))
    # What is left has the size 1.
    rest_old, rest_new = list(range(i, len(old))), list(range(j, len(new)))
    if rest_old or rest_new:
        last = groups.pop() if groups else ([], [])
        groups.append((last[0] + rest_old, last[1] + rest_new))
    return groups
