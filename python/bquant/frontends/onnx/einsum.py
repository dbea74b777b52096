"""Einsum of one or two operands, as a matrix product between transpositions."""

from __future__ import annotations

import math

from ..common.operators import products, reductions, shapes
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from .context import Node


@operator(onnx="Einsum")
def einsum(n: Node, *operands):
    labels, result = _parse(n.get("equation"), [len(o.shape) for o in operands])
    if len(operands) > 2:
        raise UnsupportedOp(f"expected one or two operands, but got {len(operands)}")
    sizes: dict = {}
    for names, operand in zip(labels, operands, strict=True):
        for name, size in zip(names, operand.shape, strict=True):
            if sizes.setdefault(name, size) != size:
                raise UnsupportedOp(f"expected one size of '{name}'")
    others = [set(result).union(*labels[:i], *labels[i + 1 :]) for i in range(len(labels))]
    values = [
        _sum_out(n, n.value(operand), names, other)
        for operand, names, other in zip(operands, labels, others, strict=True)
    ]
    labels = [
        [name for name in names if name in o] for names, o in zip(labels, others, strict=True)
    ]
    if len(values) == 1:
        return _ordered(n, values[0], labels[0], result)
    (left, right), (a, b) = labels, values
    batch = [name for name in left if name in right and name in result]
    inner = [name for name in left if name in right and name not in result]
    rows = [name for name in left if name not in right]
    columns = [name for name in right if name not in left]

    def shape(*groups):
        """Of one dimension for each group of labels."""
        groups = (batch, *groups) if batch else groups
        return [math.prod(sizes[name] for name in names) for names in groups]

    a = n.writer.reshape(_ordered(n, a, left, batch + rows + inner), shape(rows, inner))
    b = n.writer.reshape(_ordered(n, b, right, batch + inner + columns), shape(inner, columns))
    product, order = products.product(n.context(shape(rows, columns)), a, b), batch + rows + columns
    product = n.writer.reshape(product, [sizes[name] for name in order])
    return _ordered(n, product, order, result)


def _parse(equation: str, ranks: list[int]) -> tuple[list[list[str]], list[str]]:
    """The labels of each operand and of the result."""
    given, arrow, result = equation.replace(" ", "").partition("->")
    terms = given.split(",")
    if not arrow:
        every = "".join(terms)
        result = "".join(sorted(name for name in set(every) if every.count(name) == 1))
    for names in (*terms, result):
        if not (names == "" or names.isalpha()) or len(set(names)) != len(names):
            raise UnsupportedOp(f"expected letters, each once in a term, but got '{equation}'")
    if [len(names) for names in terms] != ranks:
        raise ValueError(f"expected a letter for each dimension of {ranks}, but got '{equation}'")
    return [list(names) for names in terms], list(result)


def _sum_out(n: Node, value, names, kept):
    """Summed along what is in no other term."""
    dims = [i for i, name in enumerate(names) if name not in kept]
    if not dims:
        return value
    shape = tuple(size for i, size in enumerate(value.shape) if i not in dims)
    return reductions.reduce(n.context(shape), value, dims, reductions.SUM)


def _ordered(n: Node, value, names, wanted):
    return shapes.transpose(n, value, [names.index(name) for name in wanted])
