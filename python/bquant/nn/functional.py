"""The sign cascade in torch, and the solvers on tensors."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import torch

from .. import _bquant

SCHEMES = ("fp", "ls-1", "ls-2", "ls-T", *(f"gf-{k}" for k in range(1, 9)))


def check_scheme(scheme: str, what: str) -> str:
    if scheme not in SCHEMES:
        raise ValueError(
            f"expected {what} to be one of fp, ls-1, ls-2, ls-T, gf-1 to gf-8, but got {scheme!r}"
        )
    return scheme


def num_scalars(scheme: str) -> int:
    """Scalars of one group: one for each plane, but one for ternary."""
    return _bquant.scheme_info(scheme)[1]


def solve(x: torch.Tensor, scheme: str, axes: Sequence[int] = ()) -> torch.Tensor:
    """The scalars of a tensor, (scalars of a group, groups), without a gradient."""
    values = x.detach().to("cpu", memory_format=torch.contiguous_format)
    scalars, *_, zero_groups = _bquant.solve(values.contiguous(), scheme, tuple(axes))
    if zero_groups:
        warnings.warn(
            f"all values of {zero_groups} of {scalars.shape[1]} groups are zero, "
            "so their scalars are 0",
            RuntimeWarning,
            stacklevel=2,
        )
    return torch.from_numpy(scalars).to(x.device)


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
