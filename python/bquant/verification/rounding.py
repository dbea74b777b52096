"""How much rounding may make compiled code and torch differ, operation by operation.

A bound goes with each value: what two right computations of it, from the same taps, may be apart.
None stands for nothing, which is so wherever IEEE arithmetic has one result only. With u = 2^-24,
the unit roundoff of float32, an operation adds

    product of K terms        what products.py says, of what compiled code computes it from
    sum or mean of K terms    (K + 4) u sum |x|, divided as the mean is
    batch norm                8 u ((|x| + |mean|) |scale| + |shift|)
    exp, sqrt, expm1, elu, .. 16 u |y|
    gelu, silu, hardswish, .. 16 u (1 + |x| + |y|)
    norm of K values          (K + 16) u (|y| + max |w| (1 + |mean| / deviation) + max |b|)
    variance of K values      (K + 16) u (y + 2 max |x|^2)
    (log-)softmax of K terms  (K + 16) u |y|, of log-softmax (K + 16) u (1 + |y|)
    product of K elements     (K + 4) u |y|, of a norm of K elements (K + 16) u |y|
    linear resize             (K + 16) u max |x|, of K places in the longest row of the result
    other arithmetic          nothing for operands that are the same on both sides, else 2 u |y|

Sums are the worst case of any order (Higham, Accuracy and Stability, 3.1), against a computation
in float64. A product's K roundings are enough with an fma, where each step rounds once, and
without: each term meets its multiplication and at most K - 1 additions, as the first one, to zero,
is exact. What operands carry is passed on by evaluating the
operation at both ends of them, for products and norms by their magnitudes.
"""

from __future__ import annotations

import itertools

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
    "aten.layer_norm.default", "aten.native_layer_norm.default", "aten.group_norm.default",
    "aten.native_group_norm.default", "aten.instance_norm.default",
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


def evaluate(
    name: str, function, operands: list, bounds: list, inexact_sums: bool = False, product=None
):
    """The value and the bound of an operation.

    Args:
        name: ATen's.
        function: a function of the operands.
        operands: tensors; float32, or bool.
        bounds: of each: None, float64 of its shape, or for bool a mask of what may be otherwise.
        inexact_sums: whether a sum of two may be another than IEEE arithmetic's on one side.
        product: of PRODUCTS: what the operation itself rounds, as products.py has it.
    """
    if name in PRODUCTS:
        return _product(function, operands, bounds, product)
    if name in NORMS:
        return _norm(function, operands, bounds)
    if name in SUMS:
        return _sum(name, function, operands, bounds)
    value = function(*operands)
    if name in SOFTMAX | LOG_SOFTMAX:
        return value, _softmax(name, value, operands[0], bounds[0])
    bound = move(name, function, operands, bounds)
    if name in OWN_NORMS:
        bound = _own_norm(value, operands, bounds)
        return value, (bound,) * len(value) if isinstance(value, tuple) else bound
    if name in ACTIVATIONS:
        more = 1 + _wide(operands[0]).abs() + _wide(value).abs()
        bound = _sum_of(bound, 16 * UNIT * more)
    elif name in VARIANCES:
        bound = _variance(value, operands[0], bound)
    elif name in PRODUCTS_OF_ELEMENTS | LENGTHS:
        terms = _terms(name, operands[0], value) + (16 if name in LENGTHS else 4)
        bound = _sum_of(bound, terms * UNIT * _wide(value).abs())
    elif name in RESIZES:  # places between elements are rounded, too
        terms, largest = max(value.shape[2:]) + 16, _wide(operands[0]).abs().max()
        bound = _sum_of(bound, (terms * UNIT * largest).expand(value.shape))
    elif name in LIBRARY:
        bound = _sum_of(bound, 16 * UNIT * _wide(value).abs())
    elif inexact_sums and name in _SUMS_OF_TWO:
        bound = _sum_of(bound, 2 * UNIT * sum(_magnitudes(operands, bounds)))
    elif bound is not None:
        bound = pytree.tree_map(
            lambda b, y: b + 2 * UNIT * _wide(y).abs() if y.is_floating_point() else b, bound, value
        )
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
        distance = pytree.tree_map(_distance, function(*moved), center)
        result = distance if result is None else pytree.tree_map(_larger, result, distance)
    return result


def _at(x, bound, sign):
    if x.dtype == torch.bool:
        return x if sign > 0 else x ^ bound
    return x + sign * bound


def _distance(a, b):
    return a != b if a.dtype == torch.bool else (a.double() - b.double()).abs()


def _larger(a, b):
    return a | b if a.dtype == torch.bool else torch.maximum(a, b)


def _wide(x):
    return x.double() if x.is_floating_point() else x


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


def _sum(name, function, operands, bounds):
    (x,) = operands
    y = function(_wide(x))
    bound = (_terms(name, x, y) + 4) * UNIT * function(_wide(x).abs())
    if bounds[0] is not None:
        bound = bound + function(bounds[0])
    return y.float(), bound


def _terms(name, x, y) -> int:
    """How many elements of x one of y is computed from at most."""
    if name == "aten.avg_pool2d.default":  # windows may overlap, but none has more than the image
        return x.shape[-1] * x.shape[-2]
    if name in ("aten.cumsum.default", "aten.cumprod.default"):
        return max(x.shape, default=1)
    return x.numel() // max(1, y.numel())


def _first(value):
    return value[0] if isinstance(value, (tuple, list)) else value


def _own_norm(value, operands, bounds):
    """Of values by their own mean and deviation, which any of them moves."""
    x, y = _wide(operands[0]), _wide(_first(value)).abs()
    scale, shift = (
        _wide(p).abs().max() if p is not None else default
        for p, default in zip((*operands[1:], None, None)[:2], (1.0, 0.0), strict=True)
    )
    deviations = x.std(-1 if x.dim() < 4 else (-2, -1), correction=0)
    least = deviations[deviations > 0].min() if (deviations > 0).any() else x.new_ones(())
    terms, largest = max(x[:1].numel() // max(1, x.shape[-2]), x.shape[-1]), x.abs().max()
    bound = (terms + 16) * UNIT * (y + scale * (1 + largest / least) + shift)
    if bounds[0] is not None:
        bound = bound + bounds[0].max() / least * scale * (2 + y.max())
    return bound


def _variance(value, x, moved):
    """Of a variance, or of a variance and a mean."""
    first, largest = _wide(_first(value)), _wide(x).abs().max()
    terms = x.numel() // max(1, first.numel())
    more = (terms + 16) * UNIT * (first + 2 * largest**2)
    if not isinstance(value, tuple):
        return _sum_of(moved, more)
    of_mean = ((terms + 4) * UNIT * largest).expand(value[1].shape)
    return tuple(map(_sum_of, moved or (None, None), (more, of_mean)))


def _softmax(name, value, x, bound):
    y = _wide(value).abs()
    rounding = (max(x.shape, default=1) + 16) * UNIT  # its dimension is none that is longer
    moved = y.new_zeros(()) if bound is None else bound.amax()
    if name in SOFTMAX:
        return y * (rounding + torch.expm1(2 * moved))
    return (1 + y) * rounding + 2 * moved
