"""The sign cascade in torch, and the solvers on tensors."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import torch

from .. import _bquant
from .ranked import quantize_by_rank

_EVERYWHERE = [
    "fp",
    "ls-T",
    "bwn",
    "twn",
    *(f"{kind}-{k}" for kind in ("ls", "gf") for k in range(1, 9)),
]
SCHEMES = {
    "weights": [*_EVERYWHERE, *(f"dorefa-w-{k}" for k in range(1, 9))],
    "activations": [
        *_EVERYWHERE,
        *(f"{kind}-{k}" for kind in ("dorefa", "hwgq") for k in range(1, 9)),
    ],
}


def check_scheme(scheme: str, what: str) -> str:
    """The scheme, if it is one of `weights` or of `activations`, which alone have an offset."""
    if scheme not in SCHEMES[what]:
        own = "dorefa-w-k" if what == "weights" else "dorefa-k, hwgq-k"
        raise ValueError(
            f"expected {what} to be one of fp, ls-k, ls-T, gf-k, bwn, twn, {own} with k from 1 to "
            f"8, but got {scheme!r}"
        )
    return scheme


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

    def rows(count: int):
        return torch.full((count, *groups), math.nan) if count else None

    table = torch.zeros((codes, *groups), dtype=torch.int64) if codes else None
    return Parameters(rows(scalars), rows(offsets), rows(thresholds), table)


def depends_on_data(scheme: str) -> bool:
    """Whether the parameters of activations are found from them."""
    return not scheme.startswith(("dorefa", "hwgq"))


def solve(x: torch.Tensor, scheme: str, axes: Sequence[int] = ()) -> Parameters:
    """The parameters of a tensor, without a gradient."""
    values = x.detach().to("cpu", memory_format=torch.contiguous_format)
    *arrays, zero_groups = _bquant.solve(values.contiguous(), scheme, tuple(axes))
    if zero_groups and depends_on_data(scheme):
        warnings.warn(
            f"all values of {zero_groups} of {arrays[0].shape[1]} groups are zero, "
            "so their scalars are 0",
            RuntimeWarning,
            stacklevel=2,
        )
    scalars, offsets, thresholds, codes = (
        torch.from_numpy(array if axes else array[:, 0]).to(x.device) if len(array) else None
        for array in arrays
    )
    return Parameters(scalars, offsets, thresholds, None if codes is None else codes.long())


def nearest_levels(scalars: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Thresholds (2^k - 1,) and codes (2^k,) to the nearest of +-v_1 +- v_2 .., scalars (k,)."""
    thresholds, codes = _bquant.nearest_levels(scalars.detach().cpu().numpy())
    return (
        torch.from_numpy(thresholds).to(scalars.device),
        torch.from_numpy(codes).to(scalars.device).long(),
    )


def quantize(
    x: torch.Tensor, scheme: str, parameters: Parameters, axes: Sequence[int] = ()
) -> torch.Tensor:
    """x^q, float32 of x's shape. `axes` is () for parameters of the whole, (0,) for those of each
    index of dimension 0. The gradient passes straight through."""
    if parameters.thresholds is not None:
        return quantize_by_rank(x, scheme, list(axes), *parameters)
    scalars = parameters.scalars
    each = (-1, *[1] * (x.dim() - 1))
    rows = [scalars[i].reshape(each) if axes else scalars[i] for i in range(scalars.shape[0])]
    return cascade(x, scheme, rows)


def is_exporting() -> bool:
    """Whether torch.export is tracing. Before torch 2.7 torch.compile counts, too."""
    return getattr(torch.compiler, "is_exporting", torch.compiler.is_compiling)()


class _StraightThroughSign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        # torch.where with two numbers takes fifteen times as long on a CPU.
        return torch.ge(x, 0, out=torch.empty_like(x)).mul_(2).sub_(1)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        # The gradient of hardtanh is 0 at the bounds, too: -1 and 1 lie inside of these.
        bound = 1 + torch.finfo(torch.float32).eps
        return torch.ops.aten.hardtanh_backward(gradient, x, -bound, bound)


def sign(x: torch.Tensor) -> torch.Tensor:
    """+1 where x >= 0 (both zeros), -1 elsewhere.

    The gradient is that of the identity where |x| <= 1, and 0 elsewhere. Exported
    programs have the plain operations.
    """
    if is_exporting():
        return torch.where(x >= 0, 1.0, -1.0)
    return _StraightThroughSign.apply(x)


def cascade(x: torch.Tensor, scheme: str, scalars: Sequence[torch.Tensor]) -> torch.Tensor:
    """x^q for the scalars v_i, each a tensor that broadcasts against x.

    s_i = sign(x - sum_{j<i} v_j s_j), x^q = sum_i v_i s_i; for ternary v (s_1 + s_2).
    Compilers recognise the operations by their order: keep it.
    """
    if scheme == "ls-T":
        (v,) = scalars
        s1 = sign(x)
        s2 = sign(x - v * s1)
        return (s1 + s2) * v
    term = scalars[0] * sign(x)
    xq = term
    for v in scalars[1:]:
        x = x - term
        term = v * sign(x)
        xq = xq + term
    return xq


@torch.library.custom_op("bquant::quantize", mutates_args=())
def quantize_online(x: torch.Tensor, scheme: str) -> torch.Tensor:
    """x^q with scalars solved for each sample (dimension 0)."""
    values = x.detach().to("cpu").contiguous()
    scalars, *_ = _bquant.solve(values, scheme, (0,))
    return torch.from_numpy(_bquant.decode(values, scheme, (0,), scalars)).to(x.device)


@quantize_online.register_fake
def _(x: torch.Tensor, scheme: str) -> torch.Tensor:
    return torch.empty_like(x, memory_format=torch.contiguous_format)
