"""Elementwise ATen operations, in torch's order."""

from __future__ import annotations

import numpy as np
import torch

from ..common.operators import elementwise as emit
from ..common.operators.context import Context, constant
from ..common.shapes import INTEGERS, UnsupportedOp
from . import codes, shapes
from .context import lowering, to_torch


def _unary(name: str, op: str):
    @lowering(name, integers=name in ("aten.abs.default", "aten.neg.default"))
    def lower(c: Context, x):
        return emit.unary(c, op, x)


for _name, _op in {
    "abs": "math.absf",
    "neg": "arith.negf",
    "sqrt": "math.sqrt",
    "exp": "math.exp",
    "log": "math.log",
    "tanh": "math.tanh",
    "floor": "math.floor",
    "ceil": "math.ceil",
    "round": "math.roundeven",
    "trunc": "math.trunc",
    "erf": "math.erf",
    "expm1": "math.expm1",
    "log1p": "math.log1p",
    "log2": "math.log2",
    "exp2": "math.exp2",
    "sin": "math.sin",
    "cos": "math.cos",
    "tan": "math.tan",
    "atan": "math.atan",
}.items():
    _unary(f"aten.{_name}.default", _op)


def _binary(names, op: str, integers: bool = False):
    @lowering(*names, integers=integers)
    def lower(c: Context, x, y):
        return emit.binary(c, op, x, y)


_binary(["aten.mul.Tensor", "aten.mul.Scalar"], "arith.mulf", integers=True)
_binary(["aten.div.Tensor", "aten.div.Scalar"], "arith.divf")
_binary(["aten.minimum.default", "aten.min.other"], "arith.minimumf", integers=True)
_binary(["aten.maximum.default", "aten.max.other"], "arith.maximumf", integers=True)
_binary(["aten.fmod.Scalar", "aten.fmod.Tensor"], "arith.remf")
_binary(["aten.pow.Tensor_Tensor", "aten.pow.Scalar"], "math.powf")
_binary(["aten.atan2.default"], "math.atan2")
_binary(["aten.copysign.Tensor", "aten.copysign.Scalar"], "math.copysign")


def _sum(names, op: str, swap: bool = False):
    @lowering(*names, integers=True)
    def lower(c: Context, x, y, alpha=1):
        x, y = (y, x) if swap else (x, y)
        if c.type.element == "i1":
            return emit.binary(c, op, x, y)

        def build(b, x, y):
            x, y = emit.as_number(b, x), emit.as_number(b, y)
            # torch scales what it adds, whichever side that is on.
            if alpha != 1 and swap:
                x, y = x, b("arith.mulf", y, b.number(alpha))
            elif alpha != 1:
                y = b("arith.mulf", y, b.number(alpha))
            return b(op, x, y)

        return c.elementwise(build, x, y)


_sum(["aten.add.Tensor", "aten.add.Scalar"], "arith.addf")
_sum(["aten.sub.Tensor", "aten.sub.Scalar"], "arith.subf")
_sum(["aten.rsub.Tensor", "aten.rsub.Scalar"], "arith.subf", swap=True)

lowering("aten.rsqrt.default")(emit.rsqrt)
lowering("aten.reciprocal.default")(emit.reciprocal)
lowering("aten.square.default")(emit.square)
lowering("aten.sigmoid.default")(emit.sigmoid)
lowering("aten.sign.default", integers=True)(emit.sign)


lowering("aten.pow.Tensor_Scalar", integers=True)(emit.power)

_ROUNDINGS = {"floor": "math.floor", "trunc": "math.trunc"}


@lowering("aten.div.Tensor_mode", "aten.div.Scalar_mode", integers=True)
def divide(c: Context, x, y, rounding_mode="floor"):
    if c.type.element in INTEGERS:
        op = {"floor": "arith.floordivsi", "trunc": "arith.divsi"}[rounding_mode]
        return emit.binary(c, op, x, emit.divisor(y))
    quotient = emit.binary(c, "arith.divf", x, y)
    return quotient if rounding_mode is None else emit.unary(c, _ROUNDINGS[rounding_mode], quotient)


@lowering("aten.floor_divide.default", integers=True)
def floor_divide(c: Context, x, y):
    return divide(c, x, y)


@lowering("aten.remainder.Scalar", "aten.remainder.Tensor", integers=True)
def remainder(c: Context, x, y):
    if c.type.element not in INTEGERS:
        return emit.remainder(c, x, y)
    return emit.modulo(c, x, emit.divisor(y))


# Activations.

lowering("aten.relu.default", integers=True)(emit.relu)


@lowering("aten.clamp.default", "aten.clamp.Tensor", "aten.hardtanh.default", integers=True)
def clamp(c: Context, x, min=None, max=None):  # noqa: A002
    return emit.clamp(c, x, min, max)


@lowering("aten.clamp_min.default", integers=True)
def clamp_min(c: Context, x, min):  # noqa: A002
    return emit.clamp(c, x, min, None)


@lowering("aten.clamp_max.default", integers=True)
def clamp_max(c: Context, x, max):  # noqa: A002
    return emit.clamp(c, x, None, max)


@lowering("aten.relu6.default")
def relu6(c: Context, x):
    return emit.clamp(c, x, 0.0, 6.0)


@lowering("aten.leaky_relu.default")
def leaky_relu(c: Context, x, negative_slope=0.01):
    return emit.leaky_relu(c, x, negative_slope)


lowering("aten.mish.default")(emit.mish)


@lowering("aten.elu.default")
def elu(c: Context, x, alpha=1, scale=1, input_scale=1):
    if input_scale != 1:
        raise UnsupportedOp(f"expected an input_scale of 1, but got {input_scale}")
    result = emit.elu(c, x, float(alpha))
    return result if scale == 1 else emit.binary(c, "arith.mulf", result, float(scale))


@lowering("aten.selu.default")
def selu(c: Context, x):
    return elu(c, x, 1.6732632423543772, 1.0507009873554805)


@lowering("aten.celu.default")
def celu(c: Context, x, alpha=1.0):
    scaled = emit.binary(c, "arith.divf", x, float(alpha))
    return c.elementwise(
        lambda b, x, y: b.select(b.compare("ogt", x, b.number(0.0)), x, y),
        x,
        emit.elu(c, scaled, float(alpha)),
    )


@lowering("aten.gelu.default")
def gelu(c: Context, x, approximate="none"):
    return emit.gelu(c, x, approximate == "tanh")


@lowering("aten.softplus.default")
def softplus(c: Context, x, beta=1, threshold=20):
    """Torch gives x itself above the threshold, from which it differs by less than a rounding."""
    if beta * threshold < 20 or beta <= 0:
        raise UnsupportedOp(f"expected a threshold of at least 20, but got {threshold}")
    if beta == 1:
        return emit.softplus(c, x)
    scaled = emit.binary(c, "arith.mulf", x, float(beta))
    return emit.binary(c, "arith.divf", emit.softplus(c, scaled), float(beta))


@lowering("aten.log_sigmoid.default", "aten.log_sigmoid_forward.default")
def log_sigmoid(c: Context, x):
    return emit.unary(c, "arith.negf", emit.softplus(c, emit.unary(c, "arith.negf", x)))


@lowering("aten.prelu.default")
def prelu(c: Context, x, weight):
    return emit.leaky_relu(c, x, c.channels(weight, 1) if len(x.shape) > 1 else weight)


@lowering("aten.batch_norm.default")
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


@lowering("aten._native_batch_norm_legit_no_training.default")
def batch_norm_no_training(c: Context, x, weight, bias, mean, var, momentum, eps):
    return batch_norm(c, x, weight, bias, mean, var, False, momentum, eps)


# Comparisons and choices.


def _comparison(names, predicate: str):
    @lowering(*names)
    def lower(c: Context, x, y):
        return emit.compare(c, predicate, x, y)


for _name, _predicate in {
    "ge": "oge", "gt": "ogt", "le": "ole", "lt": "olt", "eq": "oeq", "ne": "une",
}.items():  # fmt: skip
    _comparison([f"aten.{_name}.Scalar", f"aten.{_name}.Tensor"], _predicate)


@lowering("aten.isnan.default")
def isnan(c: Context, x):
    return emit.compare(c, "uno", x, x)


@lowering("aten.isinf.default")
def isinf(c: Context, x):
    return c.elementwise(
        lambda b, x: b.compare("oeq", b("math.absf", x), b.number(float("inf"))), x
    )


def _logical(names, op: str):
    @lowering(*names, integers=True)
    def lower(c: Context, x, y):
        if c.type.element in INTEGERS:
            return emit.binary(c, op, x, y)
        return emit.logical(c, op, x, y)


for _name, _op in {"and": "arith.andi", "or": "arith.ori", "xor": "arith.xori"}.items():
    _logical(
        [
            f"aten.logical_{_name}.default",
            f"aten.bitwise_{_name}.Tensor",
            f"aten.bitwise_{_name}.Scalar",
            f"aten.__{_name}__.Tensor",
        ],
        _op,
    )
lowering("aten.logical_not.default")(emit.logical_not)


@lowering("aten.bitwise_not.default", integers=True)
def bitwise_not(c: Context, x):
    if c.type.element in INTEGERS:
        return emit.binary(c, "arith.xori", x, -1)
    return emit.logical_not(c, x)


lowering(
    "aten.where.self",
    "aten.where.Scalar",
    "aten.where.ScalarSelf",
    "aten.where.ScalarOther",
    integers=True,
)(emit.where)


@lowering(
    "aten.to.dtype",
    "aten._to_copy.default",
    "aten.to.dtype_layout",
    "aten.type_as.default",
    integers=True,
)
def to(c: Context, x, *arguments, **options):
    if any(value in (torch.int8, torch.uint8) for value in (*arguments, *options.values())):
        return codes.to_codes(c, x)
    return emit.cast(c, x)


@lowering(
    "aten.expand.default", "aten.expand_as.default", "aten.broadcast_to.default", integers=True
)
def expand(c: Context, x, *_, **__):
    return emit.expand(c, x)


@lowering("aten.copy.default", integers=True)
def copy(c: Context, x, source, non_blocking=False):
    """What is assigned to a slice takes its shape."""
    if source.element != c.type.element:
        raise UnsupportedOp(f"expected {c.type.element} to assign, but got {source.element}")
    return emit.expand(c, source)


def _full_like(name: str, number: float | None = None):
    @lowering(name, integers=True)
    def lower(c: Context, x, value=number, **_):
        return emit.full_like(c, x, value)


_full_like("aten.full_like.default")
_full_like("aten.zeros_like.default", 0.0)
_full_like("aten.ones_like.default", 1.0)


@lowering("aten.masked_fill.Scalar", "aten.masked_fill.Tensor", integers=True)
def masked_fill(c: Context, x, mask, value):
    return emit.where(c, mask, value, x)


@lowering("aten.index_put.default", integers=True)
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


@lowering(
    "aten.fake_quantize_per_tensor_affine_cachemask.default",
    "aten.fake_quantize_per_tensor_affine.default",
)
def fake_quantize_tensor(c: Context, x, scale, zero_point, quant_min, quant_max):
    scale, zero = constant(np.float32(scale)), constant(np.float32(zero_point))
    return emit.fake_quantize(c, x, scale, zero, quant_min, quant_max)


@lowering(
    "aten.fake_quantize_per_channel_affine_cachemask.default",
    "aten.fake_quantize_per_channel_affine.default",
)
def fake_quantize_channel(c: Context, x, scale, zero_point, axis, quant_min, quant_max):
    if scale.constant is None or zero_point.constant is None:
        raise UnsupportedOp("expected constant scales and zero points")
    shape = [1] * len(x.shape)
    shape[axis] = -1
    scale, zero = (
        constant(np.asarray(o.constant, np.float32).reshape(shape), o.hint)
        for o in (scale, zero_point)
    )
    return emit.fake_quantize(c, x, scale, zero, quant_min, quant_max)
