"""Elementwise ATen operations, in torch's order."""

from __future__ import annotations

import torch

from ..common.operators import elementwise as emit
from ..common.operators.context import Context, Node
from ..common.shapes import INTEGERS, UnsupportedOp
from ..common.table import operator
from . import codes, shapes
from .context import to_torch


def _sum(names, op: str, swap: bool = False):
    @operator(torch=names, integers=True)
    def lower(c: Context, x, y, alpha=1):
        x, y = (y, x) if swap else (x, y)
        if c.type.element == "i1":
            return emit.binary(c, op, x, y)

        def build(b, x, y):
            # torch scales what it adds, whichever side that is on.
            if alpha != 1 and swap:
                x, y = x, b("mul", y, b.number(alpha))
            elif alpha != 1:
                y = b("mul", y, b.number(alpha))
            return b(op, x, y)

        return c.elementwise(build, x, y)


_sum(["aten.add.Tensor", "aten.add.Scalar"], "add")
_sum(["aten.sub.Tensor", "aten.sub.Scalar"], "sub")
_sum(["aten.rsub.Tensor", "aten.rsub.Scalar"], "sub", swap=True)

operator(torch="aten.pow.Tensor_Scalar", integers=True)(emit.power)


@operator(
    torch=("aten.div.Tensor_mode", "aten.div.Scalar_mode", "aten.floor_divide.default"),
    integers=True,
)
def divide_rounded(n: Node, x, y, rounding_mode="floor"):
    """The floor of floats is made of their remainder, as Python's, so 1 // 0.1 is 9."""
    if n.type.element in INTEGERS or rounding_mode != "floor":
        return emit.divide_rounded(n, x, y, rounding_mode)

    def build(b, x, y):
        zero, one = b.number(0.0), b.number(1.0)
        quotient, rest = b("arith.divf", x, y), b("arith.remf", x, y)
        whole = b("arith.divf", b("sub", x, rest), y)
        signs = b("arith.xori", b.compare("olt", y, zero), b.compare("olt", rest, zero))
        below = b("arith.andi", b.compare("une", rest, zero), signs)
        whole = b.select(below, b("sub", whole, one), whole)
        floor = b("math.floor", whole)
        above = b.compare("ogt", b("sub", whole, floor), b.number(0.5))
        floor = b.select(above, b("add", floor, one), floor)
        of_zero = b("math.copysign", zero, quotient)
        floor = b.select(b.compare("oeq", whole, zero), of_zero, floor)
        return b.select(b.compare("oeq", y, zero), quotient, floor)

    return n.elementwise(build, x, y)


# Activations.


@operator(torch="aten.clamp_max.default", integers=True)
def clamp_max(c: Context, x, max):  # noqa: A002
    return emit.clamp(c, x, None, max)


@operator(torch="aten.elu.default")
def elu(c: Context, x, alpha=1, scale=1, input_scale=1):
    if input_scale != 1:
        raise UnsupportedOp(f"expected an input_scale of 1, but got {input_scale}")
    result = emit.elu(c, x, float(alpha))
    return result if scale == 1 else emit.binary(c, "mul", result, float(scale))


@operator(torch="aten.celu.default")
def celu(c: Context, x, alpha=1.0):
    """Also of an alpha below 0."""

    def build(b, x):
        factor = b.number(alpha)
        negative = b("mul", factor, b("math.expm1", b("arith.divf", x, factor)))
        return b.select(b.compare("ogt", x, b.number(0.0)), x, negative)

    return c.elementwise(build, x)


@operator(torch="aten.softplus.default")
def softplus(c: Context, x, beta=1, threshold=20):
    """Torch gives x itself where x * beta is above the threshold, from which it differs by less
    than a rounding."""
    if threshold < 20:
        raise UnsupportedOp(f"expected a threshold of at least 20, but got {threshold}")
    if beta == 1:
        return emit.softplus(c, x)
    scaled = emit.binary(c, "mul", x, float(beta))
    return emit.binary(c, "arith.divf", emit.softplus(c, scaled), float(beta))


@operator(torch=("aten.log_sigmoid.default", "aten.log_sigmoid_forward.default"))
def log_sigmoid(c: Context, x):
    return emit.unary(c, "neg", emit.softplus(c, emit.unary(c, "neg", x)))


@operator(torch="aten.prelu.default")
def prelu(c: Context, x, weight):
    return emit.leaky_relu(c, x, c.channels(weight, 1) if len(x.shape) > 1 else weight)


@operator(torch="aten.batch_norm.default")
def batch_norm(
    c: Context, x, weight, bias, mean, var, training=False, momentum=0.1, eps=1e-5, cudnn=False
):
    """x * alpha + beta, the product and the sum rounded. alpha and beta are what torch's own eval
    kernel uses, read off from it: on x = 1 without mean and bias, and on x = 0. (That kernel may or
    may not use an fma, depending on the machine that torch was built for.)"""
    if training or mean is None or var is None:
        raise UnsupportedOp("expected running statistics (eval mode), but got training")
    for operand in (weight, bias, mean, var):
        if operand is not None and operand.constant is None:
            raise UnsupportedOp("expected constant parameters, but they are computed at run time")
    mean, var = to_torch(mean), to_torch(var)
    weight = torch.ones_like(mean) if weight is None else to_torch(weight)
    bias = torch.zeros_like(mean) if bias is None else to_torch(bias)

    def kernel(x, mean, bias):
        return torch.nn.functional.batch_norm(x[None], mean, var, weight, bias, False, 0.0, eps)[0]

    with torch.no_grad():
        zero, one = torch.zeros_like(mean), torch.ones_like(mean)
        alpha = kernel(one, zero, zero)
        # An infinite alpha times 0 is NaN, and then beta is infinite or NaN.
        alpha = torch.where(alpha.isnan(), kernel(one, -one, zero), alpha)
        beta = kernel(zero, mean, bias)
        for x1 in (one, -one):
            beta = torch.where(beta.isnan(), kernel(x1, mean, bias), beta)
    return emit.affine(c, x, alpha.numpy(), beta.numpy(), 1)


@operator(torch="aten._native_batch_norm_legit_no_training.default")
def batch_norm_no_training(c: Context, x, weight, bias, mean, var, momentum, eps):
    return batch_norm(c, x, weight, bias, mean, var, False, momentum, eps)


# Comparisons and choices.


@operator(torch="aten.isinf.default")
def isinf(c: Context, x):
    """No integer is, also as a float."""

    def build(b, x):
        return b.compare("oeq", b("abs", x), b.number(float("inf")))

    return c.elementwise(build, x, element="f32")


@operator(torch="aten.bitwise_not.default", integers=True)
def bitwise_not(c: Context, x):
    if c.type.element in INTEGERS:
        return emit.binary(c, "arith.xori", x, -1)
    return emit.logical_not(c, x)


@operator(
    torch=(
        "aten.to.dtype",
        "aten._to_copy.default",
        "aten.to.dtype_layout",
        "aten.type_as.default",
    ),
    integers=True,
)
def to(n: Node, x, *_, **__):
    if code := n.get("code"):
        return codes.to_codes(n, x, code, n.get("fits"))
    return emit.cast(n, x)


@operator(torch="aten.copy.default", integers=True)
def copy(c: Context, x, source, non_blocking=False):
    """What is assigned to a slice takes its type and shape."""
    return emit.expand(c, emit.cast(c.context(source.shape, c.type.element), source))


def _full_like(name: str, number: float | None = None):
    @operator(torch=name, integers=True)
    def lower(c: Context, x, value=number, **_):
        return emit.full_like(c, x, value)


_full_like("aten.full_like.default")
_full_like("aten.zeros_like.default", 0.0)
_full_like("aten.ones_like.default", 1.0)


@operator(torch=("aten.masked_fill.Scalar", "aten.masked_fill.Tensor"), integers=True)
def masked_fill(c: Context, x, mask, value):
    return emit.where(c, mask, value, x)


@operator(torch="aten.index_put.default", integers=True)
def index_put(c: Context, x, indices, values, accumulate=False):
    """`x[mask] = number`, and `x[:, [0, 2]] = y` of constant places of one dimension."""
    given = [(dim, i) for dim, i in enumerate(indices) if i is not None]
    if accumulate or len(given) != 1:
        raise UnsupportedOp("expected one index to assign at, and nothing to be added")
    dim, at = given[0]
    if at.element != "i1":
        return shapes.put(c, x, dim, shapes.places_of(at), values)
    if at.shape != x.shape:
        raise UnsupportedOp(
            f"expected a mask of the shape {list(x.shape)} as index, but got {list(at.shape)}"
        )
    if values.size != 1:
        raise UnsupportedOp(f"expected one number to assign, but got {values.size}")
    if values.element != c.type.element:
        raise UnsupportedOp(f"expected {c.type.element} to assign, but got {values.element}")
    return emit.where(c, at, values, x)
