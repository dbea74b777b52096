"""How much rounding may make compiled code and torch differ, operation by operation.

A bound goes with each value: what two right computations of it, from the same taps, may be apart.
None stands for nothing, which is so wherever IEEE arithmetic has one result only. With u = 2^-24,
the unit roundoff of float32, an operation adds

    product of K terms        what products.py says, of what compiled code computes it from
    sum or mean of K terms    (K + 4) u sum |x|, divided as the mean is
    batch norm                8 u ((|x| + |mean|) |scale| + |shift|)
    exp, sqrt, expm1, elu, .. 16 u |y|
    gelu, silu, hardswish, .. 16 u (1 + |x| + |y|)
    norm of K values to z     r (max |w| (1 + |z| + m + r |z| m^2) + max |b|), r = (K + 16) u,
                              with m = max |x| / deviation
    variance of K values      r y + (r max |x|)^2, of a deviation r y + r max |x|
    softmax of K terms        (K + 16 + |log y|) u y, as max x - x is at most |log y| and rounds
    log-softmax of K terms    (K + 16) u (1 + |y|)
    product of K elements     (K + 4) u |y|, of a norm of K elements (K + 16) u |y|
    linear resize             (K + 16) u max |x|, of K places in the longest row of the result
    other arithmetic          nothing for operands that are the same on both sides, else 2 u |y|

Sums are the worst case of any order (Higham, Accuracy and Stability, 3.1), against a computation
in float64. A product's K roundings are enough with an fma, where each step rounds once, and
without: each term meets its multiplication and at most K - 1 additions, as the first one, to zero,
is exact. What operands carry is passed on by evaluating the
operation at both ends of them, for products and norms by their magnitudes. A bound is infinite
where rounding alone may make an infinity or NaN of a number: at a pole, at the end of a domain.
"""

from __future__ import annotations

import itertools
import math

import torch
from torch.utils import _pytree as pytree

UNIT = 2.0**-24

PRODUCTS = {
    f"aten.{name}"
    for name in (
        "conv1d.default", "conv1d.padding", "conv2d.default", "conv2d.padding",
        "convolution.default", "linear.default", "matmul.default", "mm.default", "bmm.default",
        "addmm.default",
    )
}  # fmt: skip
NORMS = {"aten.batch_norm.default", "aten._native_batch_norm_legit_no_training.default"}
SUMS = {
    "aten.sum.default", "aten.sum.dim_IntList", "aten.mean.default", "aten.mean.dim",
    "aten.avg_pool2d.default", "aten.adaptive_avg_pool2d.default", "aten.cumsum.default",
}  # fmt: skip
SOFTMAX = {"aten.softmax.int", "aten._softmax.default"}
LOG_SOFTMAX = {"aten.log_softmax.int", "aten._log_softmax.default"}
LIBRARY = {
    f"aten.{name}.default"
    for name in (
        "exp", "exp2", "log", "log2", "tanh", "sigmoid", "sqrt", "rsqrt", "reciprocal", "erf",
        "sin", "cos", "tan", "atan", "atan2", "expm1", "log1p", "elu", "selu", "celu", "softplus",
        "log_sigmoid",
    )
} | {f"aten.pow.{name}" for name in ("Tensor_Scalar", "Tensor_Tensor", "Scalar")}  # fmt: skip
ACTIVATIONS = {
    f"aten.{name}.default"
    for name in ("gelu", "silu", "mish", "hardswish", "hardsigmoid")
}  # fmt: skip
OWN_NORMS = {
    "aten.native_layer_norm.default", "aten.native_group_norm.default",
    "aten._native_batch_norm_legit.no_stats",
}  # fmt: skip
VARIANCES = {"aten.var.correction", "aten.std.correction", "aten.var_mean.correction"}
PRODUCTS_OF_ELEMENTS = {"aten.prod.default", "aten.prod.dim_int", "aten.cumprod.default"}
LENGTHS = {"aten.linalg_vector_norm.default"}
# Torch has them for operands of these types alone.
_OF_FLOAT32 = ("aten.fake_quantize", "quantized_decomposed.")
RESIZES = {"aten.upsample_linear1d.vec", "aten.upsample_bilinear2d.vec"}
_SUMS_OF_TWO = {"aten.add.Tensor", "aten.sub.Tensor"}
# Each result depends on one operand alone, so that all may be moved at once.
_SELECTIONS = {"aten.cat.default", "aten.stack.default"}
# They have one at 0.
_POLES = {
    "aten.reciprocal.default", "aten.rsqrt.default", "aten.div.Tensor", "aten.pow.Tensor_Scalar",
}  # fmt: skip


def evaluate(
    node, function, operands: list, bounds: list, inexact_sums: bool = False, product=None
):
    """The value and the bound of an operation.

    Args:
        node: its call.
        function: a function of the operands.
        operands: tensors; float32, or bool.
        bounds: of each: None, float64 of its shape, or for bool a mask of what may be otherwise.
        inexact_sums: whether a sum of two may be another than IEEE arithmetic's on one side.
        product: of PRODUCTS: what the operation itself rounds, as products.py has it.
    """
    name = str(node.target)
    if name in PRODUCTS:
        return _product(function, operands, bounds, product)
    if name in NORMS:
        return _norm(function, operands, bounds)
    if name in SUMS:
        return _sum(node, function, operands, bounds)
    if name in OWN_NORMS:
        return _own_norm(node, function, operands, bounds)
    if name in SOFTMAX | LOG_SOFTMAX:
        return _softmax(node, function, operands[0], bounds[0])
    if name in VARIANCES:
        return _variance(name, function, operands[0], bounds[0])
    value = function(*operands)
    bound = move(name, function, operands, bounds)
    if name in ACTIVATIONS:
        more = 1 + _finite(operands[0]) + _finite(value)
        bound = _sum_of(bound, 16 * UNIT * more)
    elif name in PRODUCTS_OF_ELEMENTS | LENGTHS:
        terms = _terms(node, operands[0], value) + (16 if name in LENGTHS else 4)
        bound = _sum_of(bound, terms * UNIT * _finite(value))
    elif name in RESIZES:  # places between elements are rounded, too
        terms, largest = max(value.shape[2:]) + 16, _wide(operands[0]).abs().max()
        bound = _sum_of(bound, (terms * UNIT * largest).expand(value.shape))
    elif name in LIBRARY:
        bound = _sum_of(bound, 16 * UNIT * _normal(_finite(value)))
    elif inexact_sums and name in _SUMS_OF_TWO:
        bound = _sum_of(bound, 2 * UNIT * sum(_magnitudes(operands, bounds)))
    elif bound is not None:
        bound = pytree.tree_map(
            lambda b, y: b + 2 * UNIT * _finite(y) if y.is_floating_point() else b, bound, value
        )
    if bound is not None and name in _POLES:
        bound = torch.where(value.isinf(), torch.inf, bound)  # a divisor of 0 has either sign
    return value, bound


def move(name: str, function, operands: list, bounds: list):
    """How far the result goes from its place when the operands go to the ends of their bounds; of a
    bool, whether it changes."""
    uncertain = [i for i, bound in enumerate(bounds) if bound is not None]
    if not uncertain:
        return None
    wide = operands if name.startswith(_OF_FLOAT32) else [_wide(x) for x in operands]
    center = function(*wide)
    together = name in _SELECTIONS or len(uncertain) > 3
    moves = [(s,) * len(uncertain) for s in (1, -1)] if together else None
    result = None
    for signs in moves or itertools.product((1, -1), repeat=len(uncertain)):
        moved = list(wide)
        for i, sign in zip(uncertain, signs, strict=True):
            moved[i] = _at(wide[i], bounds[i], sign).to(wide[i].dtype)
            if name in _POLES:  # between the ends there may be one
                moved[i] = torch.where(moved[i] * wide[i] < 0, 0.0, moved[i])
        distance = pytree.tree_map(_distance, function(*moved), center)
        result = distance if result is None else pytree.tree_map(_larger, result, distance)
    return result


def _at(x, bound, sign):
    if x.dtype == torch.bool:
        return x if sign > 0 else x ^ bound
    return x + sign * bound


def _distance(a, b):
    if a.dtype == torch.bool:
        return a != b
    apart = (a.double() - b.double()).abs().nan_to_num(torch.inf, torch.inf)
    return torch.where((a == b) | (a.isnan() & b.isnan()), 0.0, apart)  # of infinities, too


def _larger(a, b):
    return a | b if a.dtype == torch.bool else torch.maximum(a, b)


def _wide(x):
    return x.double() if x.is_floating_point() else x


def _finite(y):
    """Magnitudes that rounding is relative to: infinities and NaN do not round."""
    y = _wide(y).abs()
    return torch.where(y.isfinite(), y, 0.0)


def _normal(y):
    """Below the least normal number what is rounded has one distance."""
    return torch.where(y > 0, y.clamp(min=2.0**-126), 0.0)


def _sum_of(bound, more):
    return more if bound is None else bound + more


def _magnitudes(operands, bounds):
    return [
        _wide(x).abs() if bound is None else _wide(x).abs() + bound
        for x, bound in zip(operands, bounds, strict=True)
    ]


def _product(function, operands, bounds, rounding):
    exact = function(*map(_wide, operands))
    if any(b is not None for b in bounds):
        still = function(*_magnitudes(operands, [None] * len(bounds)))
        rounding = rounding + (function(*_magnitudes(operands, bounds)) - still)
        # Of an infinite bound by 0.
        rounding = torch.where(rounding.isnan() & exact.isfinite(), torch.inf, rounding)
    return exact.float(), rounding


def _norm(function, operands, bounds):
    """Operands are x, scale and shift where there are some, mean, variance; x alone varies."""
    x, *affine, mean, variance = map(_wide, operands)

    def first(*values):
        y = function(*values)
        return y[0] if isinstance(y, (tuple, list)) else y

    magnitudes = [x.abs(), *(p.abs() for p in affine), -mean.abs(), variance]
    bound = 8 * UNIT * first(*magnitudes)
    if bounds[0] is not None:
        scale = [p.abs() * keep for p, keep in zip(affine, (1, 0), strict=False)]
        bound = bound + first(bounds[0], *scale, torch.zeros_like(mean), variance)
    return first(x, *affine, mean, variance).float(), bound


def _sum(node, function, operands, bounds):
    (x,) = operands
    y = function(_wide(x))
    bound = (_terms(node, x, y) + 4) * UNIT * function(_wide(x).abs()).abs()
    if bounds[0] is not None:
        bound = bound + function(bounds[0]).abs()  # a divisor may be negative
    return y.float(), bound


def _terms(node, x, y) -> int:
    """How many elements of x one of y is computed from at most."""
    name = str(node.target)
    if name == "aten.avg_pool2d.default":
        window = _argument(node, "kernel_size")
        return math.prod(window) ** (2 // len(window))
    if name in ("aten.cumsum.default", "aten.cumprod.default"):
        return _length(node, x)
    return x.numel() // max(1, y.numel())


def _length(node, x) -> int:
    """Of x, along the operation's `dim`."""
    return x.shape[_argument(node, "dim")] if x.dim() else 1


def _argument(node, name):
    """As the call has it, or by default."""
    arguments = node.target._schema.arguments
    place = next(i for i, argument in enumerate(arguments) if argument.name == name)
    given = node.args[place] if place < len(node.args) else arguments[place].default_value
    return node.kwargs.get(name, given)


def _first(value):
    return value[0] if isinstance(value, (tuple, list)) else value


def _own_norm(node, function, operands, bounds):
    """Of values by their own mean and deviation, which any of them moves."""
    exact, x = function(*map(_wide, operands)), _wide(operands[0])
    scale, shift = (
        _wide(p).abs().max() if p is not None else default
        for p, default in zip((*operands[1:], None, None)[:2], (1.0, 0.0), strict=True)
    )
    groups, dims = _groups(node, x)
    variance, mean = torch.var_mean(groups, dims, correction=0, keepdim=True)
    epsilon = _argument(node, "eps")
    deviation, largest = (variance + epsilon).sqrt(), groups.abs().amax(dims, keepdim=True)
    z, rounding = ((groups - mean) / deviation).abs(), (x.numel() // mean.numel() + 16) * UNIT
    of_mean = rounding * largest / deviation
    bound = scale * (rounding * (1 + z) + of_mean + z * of_mean**2) + rounding * shift
    if bounds[0] is not None:
        most = bounds[0].reshape(groups.shape).amax(dims, keepdim=True)
        least = ((variance.sqrt() - most).clamp(min=0) ** 2 + epsilon).sqrt()
        bound = bound + scale * most / least * (2 + z)
    bound = bound.reshape(x.shape)
    return tuple(y.float() for y in exact), (bound,) * len(exact)


def _groups(node, x):
    """x in a shape where each mean is one along the dimensions."""
    name = str(node.target)
    if name == "aten.native_layer_norm.default":
        return x, tuple(range(-len(_argument(node, "normalized_shape")), 0))
    if name == "aten.native_group_norm.default":
        return x.reshape(len(x), _argument(node, "group"), -1), (-1,)
    return x, tuple(d for d in range(x.dim()) if d != 1)


def _variance(name, function, x, bound):
    """Of a variance or a deviation, or of a variance and a mean. The mean's own error counts by its
    square."""
    exact, largest = function(_wide(x)), _wide(x).abs().max()
    first = _first(exact)
    rounding = (x.numel() // max(1, first.numel()) + 16) * UNIT
    power = 1 if name == "aten.std.correction" else 2
    more = rounding * first + (rounding * largest) ** power
    moved = move(name, function, [x], [bound])
    if not isinstance(exact, tuple):
        return exact.float(), _sum_of(moved, more)
    of_mean = (rounding * largest).expand(exact[1].shape)
    bounds = tuple(map(_sum_of, moved or (None, None), (more, of_mean)))
    return tuple(y.float() for y in exact), bounds


def _softmax(node, function, x, bound):
    """Operands that move by b move log y by at most d = b + log sum exp(x + b) - log sum exp(x):
    x by b, the sum down by no more than up, since it is convex. What is masked is 0 at its upper
    end, too, so that its b, which may be large, does not count."""
    is_log, terms, x = str(node.target) in LOG_SOFTMAX, _length(node, x) + 16, _wide(x)
    exact = function(x)
    y = _finite(exact)
    rounding = UNIT * (terms * (1 + y) if is_log else terms * _normal(y) - torch.xlogy(y, y))
    if bound is not None:
        dim = _argument(node, "dim")
        before, after = (torch.logsumexp(end, dim, keepdim=True) for end in (x, x + bound))
        logs, d = x - before, bound + (after - before)
        # Less than 0 or more than 1 it never is.
        moved = d if is_log else ((logs + d).exp() - logs.exp()).clamp(max=1)
        rounding = rounding + moved
    return exact.float(), rounding
