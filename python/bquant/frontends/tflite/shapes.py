"""What moves or reshapes in TensorFlow Lite, and the arithmetic of shapes."""

from __future__ import annotations

from ..common.operators import shapes as emit
from ..common.operators.context import array, numbers, positive
from ..common.operators.elementwise import full_like
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from .context import Op

# Operators that are written by lists of places.
BY_PLACES = {
    "GATHER", "MIRROR_PAD", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "REVERSE_V2",
    "STRIDED_SLICE", "TILE",
}  # fmt: skip


@operator(tflite="PACK")
def pack(op: Op, *tensors):
    dim = positive(op.get("Axis", 0), len(op.shape))
    shape = (*op.shape[:dim], 1, *op.shape[dim + 1 :])
    if len(tensors) != op.shape[dim]:
        raise ValueError(f"{len(tensors)} parts of {list(op.shape)}")
    parts = [emit.reshape(op.context(shape, op.type.element), x) for x in tensors]
    return emit.concatenate(op, parts, dim)


@operator(tflite="SPLIT_V")
def split_by_sizes(op: Op, x, _, dim):
    return emit.split_by_option(op, x, None, int(array(dim, "dimensions").item()))


@operator(tflite="SPLIT")
def split(op: Op, dim, x):
    return split_by_sizes(op, x, None, dim)


@operator(tflite="SLICE")
def slice_(op: Op, x, begin, size):
    return emit.extract(op, x, numbers(begin, "places"), op.shape, [1] * len(x.shape))


@operator(tflite="STRIDED_SLICE")
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
            value = emit.take(op, value, dim, list(taken))
            taken, step = range(len(taken)), 1
        offsets[dim], sizes[dim], steps[dim] = taken[0], len(taken), step
    c = op.context(sizes, op.type.element)
    return emit.reshape(op, emit.extract(c, value, offsets, sizes, steps))


def index_of(op: Op, first, last, steps) -> tuple:
    """The places of a slice as NumPy writes them."""
    if op.get("Offset", False):
        raise UnsupportedOp("expected ends of a slice, but got offsets")
    index = []
    for i, (begin, end, step) in enumerate(
        zip(first.tolist(), last.tolist(), steps.tolist(), strict=True)
    ):
        if op.get("EllipsisMask", 0) >> i & 1:
            index.append(...)
            continue
        if op.get("NewAxisMask", 0) >> i & 1:
            index.append(None)
            continue
        masked = op.get("BeginMask", 0) >> i & 1
        if op.get("ShrinkAxisMask", 0) >> i & 1:
            first_place = 0 if step > 0 else -1
            index.append(first_place if masked else begin)
        else:
            begin = None if masked else begin
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


@operator(tflite=("PAD", "PADV2"))
def pad(op: Op, x, paddings, fill=None):
    low, high = _paddings(paddings)
    number = op.zero if fill is None else float(array(fill, "numbers").item())
    return emit.pad(op, x, low, high, number)


@operator(tflite="MIRROR_PAD")
def mirror_pad(op: Op, x, paddings):
    """SYMMETRIC (1) repeats the element at the border, REFLECT (0) does not."""
    repeats = op.get("Mode", 0)
    low, high = _paddings(paddings)
    if any(max(a, b) >= n + repeats for a, b, n in zip(low, high, x.shape, strict=True) if a or b):
        raise ValueError("expected paddings below the sizes of what is reflected")
    return emit.pad_by_elements(op, x, low, high, "symmetric" if repeats else "reflect")


def _paddings(operand) -> tuple[list[int], list[int]]:
    found = array(operand, "paddings")
    if found.min(initial=0) < 0:
        raise ValueError(f"expected paddings of at least 0, but got {found.min()}")
    low, high = found.T.tolist()
    return low, high


@operator(tflite="FILL")
def fill(op: Op, _, value):
    return full_like(op, op.writer.empty(op.type), float(array(value, "numbers").item()))


@operator(tflite=("DEPTH_TO_SPACE", "SPACE_TO_DEPTH"))
def blocks(op: Op, x):
    n, height, width, channels = x.shape
    block, w = op.get("BlockSize"), op.writer
    if op.operator.name == "DEPTH_TO_SPACE":
        shape = (n, height, width, block, block, channels // block**2)
    else:
        shape = (n, height // block, block, width // block, block, channels)
    split = w.reshape(op.value(x), shape)
    return w.reshape(w.transpose(split, [0, 1, 3, 2, 4, 5]), op.shape)
