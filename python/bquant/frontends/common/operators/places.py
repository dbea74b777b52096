"""Places of elements: the greatest one, an order, what is read at computed places."""

from __future__ import annotations

import math

import numpy as np

from ..mlir import Value
from ..shapes import INTEGERS, Batch, TensorType, UnsupportedOp, static
from ..table import operator
from . import shapes
from .context import Context, Node, constant, numbers, positive
from .elementwise import to_integer, to_number
from .reductions import MAXIMUM, MINIMUM, reduce

# Counting how many elements are in front of each one takes the square of them.
MOST_SORTED = 4096

# Constant places that make more slices are read one by one.
MOST_SLICES = 256


def _along(rank: int, dim: int) -> list[int]:
    """The loops of a dimension each, but for one along which another loop runs, the last."""
    return [rank if d == dim else d for d in range(rank)]


def wrap(c: Context, places, size) -> Value:
    """Places below 0 count from the end."""
    value, size = c.value(places), static(size)
    return c.elementwise(
        lambda b, at: b.select(b.compare("olt", at, b.number(0)), b("add", at, b.number(size)), at),
        value,
        type_=value.type,
    )


def gather(c: Context, x, places, dim: int) -> Value:
    """x at computed places along `dim`, of the shape of the places: result[i][j] is
    x[places[i][j]][j] for dim 0. A place beyond the last reads the last, one below 0 the first."""
    loops = range(len(c.shape))
    return _read(c, c.value(x), c.value(places), dim, loops, loops)


def select(c: Context, x, places, dim: int) -> Value:
    """x at computed places along `dim`: in the result the dimensions of the places are in its
    place. Beyond the ends as `gather`."""
    value, at = c.value(x), c.value(places)
    own = len(at.shape)
    loops = [d if d < dim else d + own - 1 for d in range(len(value.shape))]
    return _read(c, value, at, dim, loops, range(dim, dim + own))


def _has_batch(value: Value) -> bool:
    return any(isinstance(size, Batch) for size in value.shape)


def _read(c: Context, value: Value, at: Value, dim: int, loops, placed) -> Value:
    """`loops` run along the dimensions of the value, `placed` along those of the places. Where each
    sample of a batch is read by itself, one more runs along all places of the dimension."""
    rank, size, element = len(c.shape), static(value.shape[dim]), at.type.element
    every = range(rank)
    if size == 0:
        if 0 in c.shape:
            return c.writer.empty(c.type)
        raise UnsupportedOp("expected elements to read, but got a dimension of size 0")

    def extract(b, at, _):
        places = [(at, size) if d == dim else loop for d, loop in enumerate(loops)]
        return b.extract(value, places)

    def search(b, x, at, found):
        low = b("max", at, b.number(0))
        nearest = b("min", low, b.number(size - 1))
        return b.select(b.compare("oeq", nearest, b.index(rank)), x, found)

    w = c.writer
    if not _has_batch(value):
        return w.generic(extract, [at], [placed], w.empty(c.type), every, element)
    read = [rank if d == dim else loop for d, loop in enumerate(loops)]
    return w.generic(search, [value, at], [read, placed], w.fill(0, c.type), every, element)


def take(c: Context, x, dim: int, index: np.ndarray) -> Value:
    """x at constant places along `dim`, from 0 on: the dimensions of `index` are in its place."""
    shape, row = x.shape, index.reshape(-1)
    shapes.check_places(row.size)
    if row.size and row.max() >= static(shape[dim]):
        raise UnsupportedOp(f"expected indices of {shape[dim]} elements, but got {row.max()}")
    many = 1 + np.count_nonzero(np.diff(row, 2)) > MOST_SLICES
    if many and not any(isinstance(size, Batch) for size in shape):
        return select(c, x, constant(index.astype(np.int64)), dim)
    return c.writer.reshape(shapes.take(c, x, dim, row.tolist()), c.shape)


def scatter(c: Context, x, updates, at: np.ndarray) -> Value:
    """x with rows of `updates` in place of some of its own: `at` says where in x, as one row of
    rows, each of them goes; the last one that goes to a place stays."""
    shape = tuple(x.shape)
    if _has_batch(c.value(x)) or _has_batch(c.value(updates)):
        raise UnsupportedOp("expected static sizes to assign at places")
    if 0 in updates.shape:
        return x
    width = math.prod(updates.shape) // at.size
    count = math.prod(shape) // width
    shapes.check_places(count + at.size)
    source = np.arange(count)
    source[at.reshape(-1)] = count + np.arange(at.size)
    rows = [(count, width), (at.size, width)]
    values = [c.writer.reshape(c.value(v), r) for v, r in zip((x, updates), rows, strict=True)]
    both = c.context((count + at.size, width), c.type.element)
    whole = shapes.concatenate(both, values, 0)
    result = c.context((count, width), c.type.element)
    return c.writer.reshape(take(result, whole, 0, source), shape)


def extreme(c: Context, x, dim: int, kind, last: bool = False) -> Value:
    """The first place along `dim`, or the last one, of the extreme that `kind` (MAXIMUM, MINIMUM)
    reduces to; a NaN is either. Bits are numbers."""
    value, rank = c.value(x), len(x.shape)
    dim = positive(dim, rank)
    if value.type.element == "i1":
        value = to_number(c.context(value.shape), value)
    kept = [d for d in range(rank) if d != dim]
    shape = tuple(value.shape[d] for d in kept)
    most = reduce(c.context(shape, value.type.element), value, [dim], kind)

    def build(b, x, most, first):
        found = b.compare("oeq", x, most)
        if b.elements[x] == "f32":
            found = b("arith.ori", found, b.compare("uno", x, x))
        at = b.select(found, b.index(dim), b.number(-1 if last else value.shape[dim]))
        return b("arith.maxsi" if last else "arith.minsi", first, at)

    places = c.writer.generic(
        build,
        [value, most],
        [range(rank), kept],
        c.writer.fill(-1 if last else float("inf"), TensorType(shape, c.type.element)),
        kept,
        c.type.element,
    )
    return c.writer.reshape(places, c.shape)


@operator(onnx="ArgMax", tflite="ARG_MAX", integers=True)
def arg_max(n: Node, x, dim=None):
    return _arg(n, x, dim, MAXIMUM)


@operator(onnx="ArgMin", tflite="ARG_MIN", integers=True)
def arg_min(n: Node, x, dim=None):
    return _arg(n, x, dim, MINIMUM)


def _arg(n: Node, x, dim, kind) -> Value:
    (dim,) = [n.get("axis", 0)] if dim is None else numbers(dim, "dimensions")
    return extreme(n, x, dim, kind, last=bool(n.get("select_last_index", 0)))


def cumulative(
    c: Context, x, dim: int, op: str, exclusive: bool = False, reverse: bool = False
) -> Value:
    """Each element with all in front of it along `dim`, or behind it, added or multiplied in their
    order; an exclusive one without itself."""
    value, rank = c.value(x), len(c.shape)
    dim = positive(dim, rank)
    start = {"add": 0.0, "mul": 1.0}[op]
    if c.type.element in INTEGERS and value.type.element == "f32":
        value = to_integer(c, value)

    def build(b, x, total):
        # Loop `rank` runs along what is taken in.
        if reverse:
            left_out = b.is_beyond(dim, rank, 0 if exclusive else 1)
        else:
            left_out = b.is_beyond(rank, dim, 0 if exclusive else 1)
        return b.select(left_out, total, b(op, total, b.to_number(x)))

    return c.writer.generic(
        build,
        [value],
        [_along(rank, dim)],
        c.writer.fill(start, c.type),
        range(rank),
        c.type.element,
    )


def order(c: Context, x, dim: int, descending: bool) -> tuple[Value, Value]:
    """The first elements of x along `dim` in order, as many as the result has, and their places
    (i64). Equal ones stay in their order; NaN is the greatest."""
    value, rank = c.value(x), len(c.shape)
    dim = positive(dim, rank)
    size = value.shape[dim]
    if isinstance(size, Batch) or size > MOST_SORTED:
        raise UnsupportedOp(f"expected at most {MOST_SORTED} elements to sort, but got {size}")
    along, every, places = _along(rank, dim), range(rank), TensorType(value.shape, "i64")

    def is_before(b, y, x):
        """Whether y comes before x, which is another element."""
        before = b.compare("ogt" if descending else "olt", y, x)
        same = b.compare("oeq", y, x)
        if b.elements[x] == "f32":
            y_nan, x_nan = b.compare("uno", y, y), b.compare("uno", x, x)
            alone = (y_nan, x_nan) if descending else (x_nan, y_nan)
            before = b("arith.ori", before, b("arith.andi", alone[0], b.negate(alone[1])))
            same = b("arith.ori", same, b("arith.andi", y_nan, x_nan))
        return b("arith.ori", before, b("arith.andi", same, b.is_ahead(rank, dim)))

    ranks = c.writer.generic(
        lambda b, y, x, count: b("arith.addi", count, b.to_number(is_before(b, y, x))),
        [value, value],
        [along, every],
        c.writer.fill(0, places),
        every,
        "i64",
    )

    def pick(what, type_: TensorType) -> Value:
        """What is at the element of each rank."""

        def build(b, place, *rest):
            here = b.compare("oeq", place, b.index(dim))
            return b.select(here, what(b, *rest), rest[-1])

        operands = [ranks] if type_.element == "i64" and what is not element else [ranks, value]
        init = c.writer.fill(0, type_)
        return c.writer.generic(build, operands, [along] * len(operands), init, every, "i64")

    def element(b, x, _):
        return x

    return (
        pick(element, c.type),
        pick(lambda b, _: b.index(rank), TensorType(c.shape, "i64")),
    )
