"""Quantization by ranks among thresholds: the schemes whose planes are no sign cascade."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .. import _bquant


def _rows(parameter: torch.Tensor) -> torch.Tensor:
    """(groups, ..) of parameters (..) of one group or (.., groups)."""
    return parameter.reshape(len(parameter), -1).T


def levels(scheme: str, scalars: torch.Tensor, offsets: torch.Tensor | None) -> torch.Tensor:
    """What each code decodes to, float32 (groups, 2^k): (c +) v_1 s_1 + v_2 s_2 + ..., plane 1 the
    code's highest bit, rounded as compiled code rounds it; for ratio planes (c +) (sum m_i s_i) v.
    Scalars and offsets are those of one group, (n,), or of several, (n, groups).
    """
    planes, _ = _bquant.scheme_info(scheme)
    ratios = _bquant.scheme_ratios(scheme)
    codes = torch.arange(1 << planes, device=scalars.device)
    signs = [((codes >> (planes - 1 - i)) & 1) * 2 - 1 for i in range(planes)]
    scalars = _rows(scalars).T
    if ratios:
        multiple = sum(m * s for m, s in zip(ratios, signs, strict=True))
        terms = [scalars[0][:, None] * multiple.to(torch.float32)]
    else:
        terms = [v[:, None] * s.to(torch.float32) for v, s in zip(scalars, signs, strict=True)]
    if offsets is not None:
        terms.insert(0, _rows(offsets))
    value = terms[0]
    for term in terms[1:]:
        value = value + term
    return value


def quantize_by_comparisons(
    x: torch.Tensor,
    scheme: str,
    axes: Sequence[int],
    scalars: torch.Tensor,
    offsets: torch.Tensor | None,
    thresholds: torch.Tensor,
    codes: torch.Tensor,
) -> torch.Tensor:
    """The values of `quantize_by_rank`, by operations that ONNX has."""
    table = levels(scheme, scalars, offsets).gather(1, _rows(codes)).T
    each = (-1, *[1] * (x.dim() - 1)) if axes else ()
    xq = table[0].reshape(each)
    for threshold, level in zip(thresholds.reshape(len(table) - 1, -1), table[1:], strict=True):
        xq = torch.where(x >= threshold.reshape(each), level.reshape(each), xq)
    return xq


@torch.library.custom_op("bquant::quantize_by_rank", mutates_args=())
def quantize_by_rank(
    x: torch.Tensor,
    scheme: str,
    axes: Sequence[int],
    scalars: torch.Tensor,
    offsets: torch.Tensor | None,
    thresholds: torch.Tensor,
    codes: torch.Tensor,
) -> torch.Tensor:
    """x^q, float32 of x's shape: x is at least r of the thresholds of its group (NaN of none), and
    codes[r] decodes to x^q.

    Args:
        scheme: names the planes: their number and ratios.
        axes: [] for one group; [0] for one for each index of dimension 0, the last dimension of
            what follows.
        scalars: float32 (k,), or (1,) for planes that share one.
        offsets: float32 (1,), or None.
        thresholds: float32 (2^k - 1,), ascending.
        codes: int64 (2^k,).
    """
    table = levels(scheme, scalars, offsets).gather(1, _rows(codes))
    values = x.reshape(len(table), -1).contiguous()
    rank = torch.searchsorted(_rows(thresholds).contiguous(), values, right=True)
    rank = torch.where(values.isnan(), 0, rank)
    return table.gather(1, rank).reshape(x.shape)


@quantize_by_rank.register_fake
def _(x, scheme, axes, scalars, offsets, thresholds, codes):
    return torch.empty_like(x, memory_format=torch.contiguous_format)


def _remember(ctx, inputs, output) -> None:
    x, scheme, _, scalars, offsets, _, codes = inputs
    ctx.scheme = scheme
    table = levels(scheme, scalars, offsets).gather(1, _rows(codes))
    ctx.save_for_backward(x, table.amin(1, keepdim=True), table.amax(1, keepdim=True))


def _straight_through(ctx, gradient):
    x, low, high = ctx.saved_tensors
    values = x.reshape(len(low), -1)
    if ctx.scheme.startswith("dorefa-w"):
        # Of tanh x / max |tanh x|, which the levels are those of.
        scale = torch.tanh(values.abs().amax(1, keepdim=True))
        slope = (1 - torch.tanh(values) ** 2) / scale.clamp_min(1e-30)
    else:
        if not ctx.scheme.startswith(("dorefa", "hwgq")):
            # As of signs, and up to the outermost levels.
            high = high.clamp_min(1)
            low = -high
        slope = ((values >= low) & (values <= high)).to(x.dtype)
    return gradient * slope.reshape(x.shape), None, None, None, None, None, None


quantize_by_rank.register_autograd(_straight_through, setup_context=_remember)
