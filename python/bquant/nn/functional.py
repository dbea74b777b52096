"""The sign cascade in torch, and the solvers on tensors."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch

from .. import _bquant
from .._quantize import scheme_forms
from . import registry, solvers
from .ranked import quantize_by_comparisons, quantize_by_rank

_SCHEMES = ["fp", *(s for s in _bquant.option_values("scheme") if not s.startswith("given-"))]
SCHEMES = {
    # A filter has no offset, and what stretches the values is for filters alone.
    "weights": [s for s in _SCHEMES if s == "fp" or not _bquant.scheme_rows(s)[1]],
    "activations": [s for s in _SCHEMES if not s.startswith("dorefa-w-")],
}


def check_scheme(scheme: str, what: str) -> str:
    """The scheme, if it is one of `weights` or of `activations`, bquant's own or registered."""
    if scheme not in SCHEMES[what] and not registry.find(scheme, what):
        raise ValueError(
            f"expected {what} to be one of {scheme_forms(SCHEMES[what])} with k from 1 to 8, or a "
            f"registered scheme ({', '.join(registry.names(what))}), but got {scheme!r}"
        )
    return scheme


# What takes the place of the sign's derivative: a name, or a function of the sign's input.
Gradient = str | Callable[[torch.Tensor], torch.Tensor]
GRADIENTS = ("hardtanh", "identity", "approx_sign")


def check_gradient(gradient: Gradient) -> Gradient:
    if not callable(gradient) and gradient not in GRADIENTS:
        raise ValueError(
            f"expected gradient to be one of {', '.join(GRADIENTS)}, or a function, but got "
            f"{gradient!r}"
        )
    return gradient


# Tensors on the CPU are solved in torch operations, too, as those elsewhere are.
SOLVE_IN_TORCH = False


class Parameters(NamedTuple):
    """What quantizes a tensor as a whole; with another dimension, (.., groups), for each index of
    dimension 0.

    scalars: float32 (k,), but (1,) for planes that share one (ternary, uniform).
    offsets: float32 (1,), or None.
    thresholds, codes: float32 (2^k - 1,) and int64 (2^k,), or None where the planes are the sign
        cascade of the scalars.
    """

    scalars: torch.Tensor
    offsets: torch.Tensor | None = None
    thresholds: torch.Tensor | None = None
    codes: torch.Tensor | None = None


def empty_parameters(scheme: str, groups: Sequence[int] = ()) -> Parameters:
    """Parameters of the sizes that a scheme has, (.., *groups); NaN, and codes 0."""
    scalars, offsets, thresholds, codes = _bquant.scheme_rows(scheme)

    def rows(count: int) -> torch.Tensor | None:
        return torch.full((count, *groups), math.nan) if count else None

    table = torch.zeros((codes, *groups), dtype=torch.int64) if codes else None
    return Parameters(rows(scalars), rows(offsets), rows(thresholds), table)


def depends_on_data(scheme: str) -> bool:
    """Whether the parameters of activations are found from them."""
    return not scheme.startswith(("dorefa", "hwgq"))


def in_memory_order(x: torch.Tensor) -> torch.Tensor:
    """The values of x, contiguous, without a copy for the default layout and for channels last;
    dimension 0 stays the first."""
    if x.dim() == 4 and not x.is_contiguous():
        x = x.permute(0, 2, 3, 1)
    return x.contiguous()


def solve(x: torch.Tensor, scheme: str, axes: Sequence[int] = ()) -> Parameters:
    """The parameters of a tensor, without a gradient; `axes` is () or (0,). Computed in float32,
    whatever x's type."""
    rows = torch.ops.bquant.solve(x.detach(), scheme, bool(axes))
    return Parameters(*(row if row.numel() else None for row in rows))


def _solves_in_torch(x: torch.Tensor) -> bool:
    return x.device.type != "cpu" or SOLVE_IN_TORCH


@torch.library.custom_op("bquant::solve", mutates_args=())
def _solve(
    x: torch.Tensor, scheme: str, each: bool
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    values = x.float()
    if _solves_in_torch(x) and solvers.can_solve(scheme, values):
        rows = solvers.solve(values.reshape(len(x) if each else 1, -1), scheme)
        return rows if each else tuple(row[:, 0].contiguous() for row in rows)
    values = values.cpu()
    axes = (0,) if each else ()
    try:
        solved = _bquant.solve(
            in_memory_order(values).numpy(), scheme, axes, threads=torch.get_num_threads()
        )
    except ValueError:  # with an index that is that of x
        solved = _bquant.solve(values.contiguous().numpy(), scheme, axes)
    *arrays, zero_groups, _ = solved
    if zero_groups and depends_on_data(scheme):
        warnings.warn(
            f"all values of {zero_groups} of {arrays[0].shape[1]} groups are zero, "
            "so their scalars are 0",
            RuntimeWarning,
            stacklevel=2,
        )
    rows = [torch.from_numpy(array if each else array[:, 0].copy()) for array in arrays]
    rows[3] = rows[3].long()
    return tuple(row.to(x.device) for row in rows)


@_solve.register_fake
def _(x, scheme, each):
    groups = x.shape[:1] if each else ()
    scalars, offsets, thresholds, codes = (
        x.new_empty((rows, *groups), dtype=torch.float32) for rows in _bquant.scheme_rows(scheme)
    )
    return scalars, offsets, thresholds, codes.long()


@torch.library.custom_op("bquant::nearest_levels", mutates_args=())
def nearest_levels(scalars: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Thresholds (2^k - 1,) and codes (2^k,) to the nearest of +-v_1 +- v_2 .., scalars (k,)."""
    thresholds, codes = _bquant.nearest_levels(scalars.detach().cpu().numpy())
    return (
        torch.from_numpy(thresholds).to(scalars.device),
        torch.from_numpy(codes).to(scalars.device).long(),
    )


@nearest_levels.register_fake
def _(scalars):
    codes = 1 << len(scalars)
    thresholds = scalars.new_empty(codes - 1, dtype=torch.float32)
    return thresholds, scalars.new_empty(codes, dtype=torch.int64)


def quantize(
    x: torch.Tensor,
    scheme: str,
    parameters: Parameters,
    axes: Sequence[int] = (),
    clamp: float | None = None,
    gradient: Gradient = "hardtanh",
) -> torch.Tensor:
    """x^q of x clamped to +-`clamp`, of x's shape and type. `axes` is () for parameters of the
    whole, (0,) for those of each index of dimension 0. The gradient passes straight through, as
    `gradient` says (see `sign`)."""
    if x.dtype != torch.float32:
        floats = (p.float() if p is not None and p.is_floating_point() else p for p in parameters)
        y = quantize(x.float(), scheme, Parameters(*floats), axes, clamp, gradient)
        return y.to(x.dtype)
    scalars = parameters.scalars
    one_pass = (
        parameters.thresholds is None
        and isinstance(gradient, str)
        and x.device.type == "cpu"
        and not scalars.requires_grad
        and not is_exporting()
    )
    if one_pass:
        bound = math.inf if clamp is None else clamp
        return torch.ops.bquant.cascade(x, scheme, scalars.detach(), bound, gradient)
    if clamp is not None:
        x = torch.clamp(x, -clamp, clamp)
    if parameters.thresholds is not None:
        return by_rank(x, scheme, axes, parameters)
    each = (-1, *[1] * (x.dim() - 1))
    rows = [scalars[i].reshape(each) if axes else scalars[i] for i in range(scalars.shape[0])]
    if gradient == "identity" and not is_exporting():
        xq = cascade(x.detach(), scheme, rows)
        return xq + (x - x.detach())
    return cascade(x, scheme, rows, gradient)


def by_rank(
    x: torch.Tensor, scheme: str, axes: Sequence[int], parameters: Parameters
) -> torch.Tensor:
    """x^q by ranks among thresholds, see `ranked.quantize_by_rank`; float32."""
    in_onnx = not torch.compiler.is_compiling() and torch.onnx.is_in_onnx_export()
    function = quantize_by_comparisons if in_onnx else quantize_by_rank
    return function(x, scheme, list(axes), *parameters)


@torch.library.custom_op("bquant::cascade", mutates_args=())
def _cascade(
    x: torch.Tensor, scheme: str, scalars: torch.Tensor, clamp: float, gradient: str
) -> torch.Tensor:
    """`quantize` in one pass, on the CPU, with the bits of the operations one by one."""
    x = _dense(x)
    out = torch.empty_like(x)
    _bquant.cascade(
        in_memory_order(x).numpy(),
        scheme,
        scalars.contiguous().numpy(),
        clamp,
        in_memory_order(out).numpy(),
    )
    return out


@_cascade.register_fake
def _(x, scheme, scalars, clamp, gradient):
    return torch.empty_like(_dense(x))


@torch.library.custom_op("bquant::cascade_gradient", mutates_args=())
def _cascade_gradient(
    x: torch.Tensor,
    scheme: str,
    scalars: torch.Tensor,
    clamp: float,
    slope: str,
    gradient: torch.Tensor,
) -> torch.Tensor:
    x = _dense(x)
    out = torch.empty_like(x)
    if gradient.stride() != x.stride():
        gradient = torch.empty_like(x).copy_(gradient)
    _bquant.cascade_gradient(
        in_memory_order(x).numpy(),
        scheme,
        scalars.contiguous().numpy(),
        clamp,
        slope,
        in_memory_order(gradient).numpy(),
        in_memory_order(out).numpy(),
    )
    return out


@_cascade_gradient.register_fake
def _(x, scheme, scalars, clamp, slope, gradient):
    return torch.empty_like(_dense(x))


def _dense(x: torch.Tensor) -> torch.Tensor:
    """Of a layout that `in_memory_order` does not copy."""
    if x.is_contiguous() or (x.dim() == 4 and x.is_contiguous(memory_format=torch.channels_last)):
        return x
    return x.contiguous()


def _remember(ctx, inputs, output) -> None:
    x, ctx.scheme, scalars, ctx.clamp, ctx.slope = inputs
    ctx.save_for_backward(x, scalars)


def _pass_back(ctx, gradient):
    x, scalars = ctx.saved_tensors
    slope = torch.ops.bquant.cascade_gradient(
        x, ctx.scheme, scalars, ctx.clamp, ctx.slope, gradient
    )
    return slope, None, None, None, None


_cascade.register_autograd(_pass_back, setup_context=_remember)


def is_exporting() -> bool:
    """Whether torch.export, or the older exporter to ONNX, is tracing. Before torch 2.7
    torch.compile counts, too."""
    if torch.compiler.is_compiling():
        return getattr(torch.compiler, "is_exporting", torch.compiler.is_compiling)()
    return torch.onnx.is_in_onnx_export()


class _StraightThroughSign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gradient):
        ctx.save_for_backward(x)
        ctx.gradient = gradient
        # torch.where with two numbers takes fifteen times as long on a CPU.
        return torch.ge(x, 0, out=torch.empty_like(x)).mul_(2).sub_(1)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        if callable(ctx.gradient):
            return gradient * ctx.gradient(x), None
        if ctx.gradient == "identity":
            return gradient, None
        if ctx.gradient == "approx_sign":
            return gradient * (2 - 2 * x.abs()).clamp_min_(0), None
        # The gradient of hardtanh is 0 at the bounds, too: -1 and 1 lie inside of these.
        bound = 1 + torch.finfo(torch.float32).eps
        return torch.ops.aten.hardtanh_backward(gradient, x, -bound, bound), None


def sign(x: torch.Tensor, gradient: Gradient = "hardtanh") -> torch.Tensor:
    """+1 where x >= 0 (both zeros), -1 elsewhere.

    Exported programs have the plain operations. In training the gradient is multiplied by

        "hardtanh"     1 where |x| <= 1, else 0;
        "identity"     1;
        "approx_sign"  2 - 2|x| where |x| <= 1, else 0 (Liu et al., Bi-Real Net, 2018);
        a function     what it gives for x, of x's shape.
    """
    if is_exporting():
        return torch.where(x >= 0, 1.0, -1.0)
    return _StraightThroughSign.apply(x, gradient)


class _StraightThrough(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value, x):
        return value.clone()

    @staticmethod
    def backward(ctx, gradient):
        return None, gradient


def straight_through(value: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """`value`, of x's shape, with the gradient of x; an exported program has the value alone."""
    return value if is_exporting() else _StraightThrough.apply(value.detach(), x)


def scale_gradient(x: torch.Tensor, factor: float) -> torch.Tensor:
    """x, whose gradient is multiplied by a factor; an exported program has x alone."""
    return x if is_exporting() else x.detach() + (x - x.detach()) * factor


@torch.library.custom_op("bquant::finite", mutates_args=())
def finite(x: torch.Tensor, what: str) -> torch.Tensor:
    """A copy of x. ValueError, if it is empty or holds NaN or an infinity."""
    if not x.numel():
        raise ValueError(f"expected an array that is not empty, but got shape {list(x.shape)}")
    bad = ~x.isfinite()
    if bad.any():
        index = bad.nonzero()[0].tolist()
        raise ValueError(f"expected finite {what}, but got {x[tuple(index)].item():g} at {index}")
    return x.clone()


@finite.register_fake
def _(x, what):
    return torch.empty_like(x)


def cascade(
    x: torch.Tensor,
    scheme: str,
    scalars: Sequence[torch.Tensor],
    gradient: Gradient = "hardtanh",
) -> torch.Tensor:
    """x^q for the scalars v_i, each a tensor that broadcasts against x.

    s_i = sign(x - sum_{j<i} v_j s_j), x^q = sum_i v_i s_i; for ternary v (s_1 + s_2).
    Compilers recognise the operations by their order: keep it.
    """
    if scheme == "ls-T":
        (v,) = scalars
        s1 = sign(x, gradient)
        s2 = sign(x - v * s1, gradient)
        return (s1 + s2) * v
    term = scalars[0] * sign(x, gradient)
    xq = term
    for v in scalars[1:]:
        x = x - term
        term = v * sign(x, gradient)
        xq = xq + term
    return xq


@torch.library.custom_op("bquant::quantize", mutates_args=())
def quantize_online(x: torch.Tensor, scheme: str) -> torch.Tensor:
    """x^q with scalars solved for each sample (dimension 0), in float32; of x's shape and type."""
    if _solves_in_torch(x):
        return quantize(x.contiguous(), scheme, solve(x, scheme, (0,)), (0,))
    values = x.detach().float().contiguous()
    scalars, *_ = _bquant.solve(values.numpy(), scheme, (0,))
    out = torch.empty_like(values)
    _bquant.cascade(values.numpy(), scheme, scalars, math.inf, out.numpy())
    return out.to(x.dtype)


@quantize_online.register_fake
def _(x: torch.Tensor, scheme: str) -> torch.Tensor:
    return torch.empty_like(x, memory_format=torch.contiguous_format)
