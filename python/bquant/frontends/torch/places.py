"""Operations that read at computed places, or order elements."""

from __future__ import annotations

from ..common.operators import places as emit
from ..common.operators.context import Context, positive
from ..common.shapes import INTEGERS, UnsupportedOp
from ..common.table import operator

MOST_BOUNDARIES = 255


@operator(torch="aten.embedding.default")
def embedding(c: Context, weight, indices, *_, **__):
    return emit.select(c, weight, indices, 0)


@operator(torch="aten.gather.default", integers=True)
def gather(c: Context, x, dim, index, **_):
    if x.shape == () or any(
        a != b for d, (a, b) in enumerate(zip(x.shape, index.shape, strict=True))
        if d != positive(dim, len(x.shape))
    ):  # fmt: skip
        raise UnsupportedOp("expected places of the tensor's shape but for one dimension")
    return emit.gather(c, x, index, positive(dim, len(x.shape)))


def _cumulative(name: str, op: str):
    @operator(torch=name, integers=True)
    def lower(c: Context, x, dim, dtype=None):
        return emit.cumulative(c, x, dim, op)


_cumulative("aten.cumsum.default", "add")
_cumulative("aten.cumprod.default", "mul")


@operator(torch="aten.topk.default", integers=True)
def topk(c: Context, x, k, dim=-1, largest=True, sorted=True):  # noqa: A002
    return list(emit.order(c, x, dim, largest))


@operator(torch=("aten.sort.default", "aten.sort.stable"), integers=True)
def sort(c: Context, x, *arguments, **options):
    if arguments and isinstance(arguments[0], bool):  # of the stable one
        arguments = arguments[1:]
    dim = options.get("dim", arguments[0] if arguments else -1)
    descending = options.get("descending", arguments[1] if len(arguments) > 1 else False)
    return list(emit.order(c, x, dim, descending))


@operator(torch="aten.one_hot.default", integers=True)
def one_hot(c: Context, x, num_classes=-1):
    """Of as many classes as the result says."""
    value, rank = c.value(x), len(c.shape) - 1

    def build(b, x):
        return b.to_number(b.compare("oeq", x, b.index(rank)))

    return c.writer.elementwise(build, [(value, range(rank))], c.type, c.type.element)


@operator(torch="aten.bucketize.Tensor", integers=True)
def bucketize(c: Context, x, boundaries, out_int32=False, right=False):
    """How many boundaries are below x, or with `right` not above it; NaN is above all."""
    if boundaries.constant is None or boundaries.size > MOST_BOUNDARIES or x.element != "f32":
        raise UnsupportedOp(f"expected floats and up to {MOST_BOUNDARIES} constant boundaries")
    places = [float(place) for place in boundaries.constant]

    def build(b, x):
        count = b.number(0)
        for place in places:
            above = b.compare("ule" if right else "ult", b.number(place, "f32"), x)
            count = b("arith.addi", count, b.to_number(above))
        return count

    return c.elementwise(build, c.value(x), element=c.type.element)


def is_computed(index) -> bool:
    return index is not None and index.constant is None and index.element in INTEGERS
