"""What moves or reshapes in TensorFlow Lite, and the arithmetic of shapes."""

from __future__ import annotations

from ..common.operators import shapes as emit
from ..common.operators.context import positive
from ..common.operators.elementwise import expand, full_like
from ..common.shapes import UnsupportedOp
from .context import Op, array, lowering, numbers
from .elementwise import activate

# Operators that are written by lists of places.
BY_PLACES = {
    "GATHER", "MIRROR_PAD", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "REVERSE_V2",
    "STRIDED_SLICE", "TILE",
}  # fmt: skip


@lowering("RESHAPE", "SQUEEZE", "EXPAND_DIMS")
def reshape(op: Op, x, *_):
    return emit.reshape(op.c, x)


@lowering("TRANSPOSE")
def transpose(op: Op, x, permutation):
    return emit.transpose(op.c, x, numbers(permutation, "dimensions"))


@lowering("CONCATENATION")
def concatenate(op: Op, *tensors):
    dim = positive(op.get("Axis"), len(op.c.shape))
    _check_parts(op.c.shape, [x.shape for x in tensors], dim)
    result = emit.concatenate(op.c, tensors, dim)
    return activate(op.c, result, op.get("FusedActivationFunction", 0))


def _check_parts(shape, parts, dim: int) -> None:
    """That parts along a dimension make up the whole: no element is left as it was."""
    sizes = [part[dim] for part in parts]
    rest = (*shape[:dim], *shape[dim + 1 :])
    if sum(sizes) != shape[dim] or any((*p[:dim], *p[dim + 1 :]) != rest for p in parts):
        raise ValueError(f"parts {[list(p) for p in parts]} of {list(shape)}")


@lowering("PACK")
def pack(op: Op, *tensors):
    dim = positive(op.get("Axis", 0), len(op.c.shape))
    shape = (*op.c.shape[:dim], 1, *op.c.shape[dim + 1 :])
    if len(tensors) != op.c.shape[dim]:
        raise ValueError(f"{len(tensors)} parts of {list(op.c.shape)}")
    parts = [emit.reshape(op.context(shape, op.c.type.element), x) for x in tensors]
    return emit.concatenate(op.c, parts, dim)


def _contexts(op: Op):
    return [op.context(type_.shape, type_.element) for type_ in op.types]


@lowering("SPLIT")
def split(op: Op, dim, x):
    return emit.split(_contexts(op), x, positive(int(array(dim, "dimensions")), len(x.shape)))


@lowering("SPLIT_V")
def split_by_sizes(op: Op, x, sizes, dim):
    return emit.split(_contexts(op), x, positive(int(array(dim, "dimensions")), len(x.shape)))


@lowering("UNPACK")
def unpack(op: Op, x):
    return emit.split(_contexts(op), x, positive(op.get("Axis", 0), len(x.shape)))


@lowering("SLICE")
def slice_(op: Op, x, begin, size):
    return emit.extract(op.c, x, numbers(begin, "places"), op.c.shape, [1] * len(x.shape))


@lowering("STRIDED_SLICE")
def strided_slice(op: Op, x, begin, end, strides):
    first, last, steps = (array(o, "places") for o in (begin, end, strides))
    places = _spelled_out(index_of(op, first, last, steps), len(x.shape))
    value, offsets, sizes = x, [0] * len(places), list(x.shape)
    steps = [1] * len(places)
    for dim, place in enumerate(places):
        size = x.shape[dim]
        if not isinstance(size, int):
            if place != slice(None, None, 1):
                raise UnsupportedOp("expected slices that take the whole batch")
            continue
        taken = range(size)[place] if isinstance(place, slice) else [range(size)[place]]
        if not len(taken):
            raise UnsupportedOp("expected slices with elements")
        step = taken.step if isinstance(taken, range) else 1
        if step < 0:
            shape = (*value.shape[:dim], len(taken), *value.shape[dim + 1 :])
            value = emit.take(op.context(shape, op.c.type.element), value, dim, list(taken))
            taken, step = range(len(taken)), 1
        offsets[dim], sizes[dim], steps[dim] = taken[0], len(taken), step
    c = op.context(sizes, op.c.type.element)
    return emit.reshape(op.c, emit.extract(c, value, offsets, sizes, steps))


def index_of(op: Op, first, last, steps) -> tuple:
    """The places of a slice as NumPy writes them."""
    index = []
    for i, (begin, end, step) in enumerate(
        zip(first.tolist(), last.tolist(), steps.tolist(), strict=True)
    ):
        if op.get("EllipsisMask", 0) >> i & 1:
            index.append(...)
        elif op.get("NewAxisMask", 0) >> i & 1:
            index.append(None)
        elif op.get("ShrinkAxisMask", 0) >> i & 1:
            index.append(begin)
        else:
            begin = None if op.get("BeginMask", 0) >> i & 1 else begin
            end = None if op.get("EndMask", 0) >> i & 1 else end
            index.append(slice(begin, end, step))
    return tuple(index)


def _spelled_out(index: tuple, rank: int) -> list:
    """A place for each dimension of the operand: all of those that the index leaves out."""
    whole = slice(None, None, 1)
    places = [place for place in index if place is not None]
    if places.count(...) > 1 or len(places) - places.count(...) > rank:
        raise ValueError(f"expected places of {rank} dimensions")
    at = places.index(...) if ... in places else len(places)
    behind = places[at + 1 :]
    return [*places[:at], *[whole] * (rank - at - len(behind)), *behind]


@lowering("PAD", "PADV2")
def pad(op: Op, x, paddings, fill=None):
    low, high = _paddings(paddings)
    number = op.zero if fill is None else float(array(fill, "numbers"))
    return emit.pad(op.c, x, low, high, number)


@lowering("MIRROR_PAD")
def mirror_pad(op: Op, x, paddings):
    if op.get("Mode", 0) != 0:
        raise UnsupportedOp("expected REFLECT as mode, but got SYMMETRIC")
    low, high = _paddings(paddings)
    if any(max(a, b) >= n for a, b, n in zip(low, high, x.shape, strict=True) if a or b):
        raise ValueError("expected paddings below the sizes of what is reflected")
    return emit.pad_by_elements(op.c, x, low, high, "reflect")


def _paddings(operand) -> tuple[list[int], list[int]]:
    found = array(operand, "paddings")
    if found.min(initial=0) < 0:
        raise ValueError(f"expected paddings of at least 0, but got {found.min()}")
    low, high = found.T.tolist()
    return low, high


@lowering("TILE")
def tile(op: Op, x, *_):
    value = x
    for dim, (size, wanted) in enumerate(zip(x.shape, op.c.shape, strict=True)):
        if size != wanted:
            shape = (*value.shape[:dim], wanted, *value.shape[dim + 1 :])
            index = [i % size for i in range(wanted)]
            value = emit.take(op.context(shape, op.c.type.element), value, dim, index)
    return value


@lowering("BROADCAST_TO")
def broadcast(op: Op, x, _):
    return expand(op.c, x)


@lowering("FILL")
def fill(op: Op, _, value):
    return full_like(op.c, op.writer.empty(op.c.type), float(array(value, "numbers")))


@lowering("REVERSE_V2")
def reverse(op: Op, x, dims):
    value = x
    for dim in numbers(dims, "dimensions"):
        dim = positive(dim, len(x.shape))
        index = range(_static(x.shape[dim]))[::-1]
        value = emit.take(op.c, value, dim, list(index))
    return value


def _static(size) -> int:
    if not isinstance(size, int):
        raise UnsupportedOp("expected the batch to stay in its order")
    return size


@lowering("DEPTH_TO_SPACE", "SPACE_TO_DEPTH")
def blocks(op: Op, x):
    n, height, width, channels = x.shape
    block, w = op.get("BlockSize"), op.writer
    if op.operator.name == "DEPTH_TO_SPACE":
        shape = (n, height, width, block, block, channels // block**2)
    else:
        shape = (n, height // block, block, width // block, block, channels)
    split = w.reshape(op.c.value(x), shape)
    return w.reshape(w.transpose(split, [0, 1, 3, 2, 4, 5]), op.c.shape)
