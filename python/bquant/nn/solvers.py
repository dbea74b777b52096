"""The solvers in torch operations, for tensors that are not on the CPU.

The formulas are those of lib/Quant, sums in float64; scalars are equal up to the last place. ls-k
with k >= 3, which has no closed form, is solved on the CPU.
"""

from __future__ import annotations

import torch

from .. import _bquant


def can_solve(scheme: str, x: torch.Tensor) -> bool:
    """Whether there is a solver here, and values that it takes: the C++ one says what is wrong with
    others."""
    kind, _, k = scheme.rpartition("-")
    known = kind in ("gf", "dorefa-w") or scheme in ("bwn", "twn", "ls-1", "ls-2", "ls-T")
    return known and x.dim() > 0 and x.numel() > 0 and bool(x.isfinite().all())


def solve(x: torch.Tensor, scheme: str):
    """(scalars, offsets, thresholds, codes) of the rows of x (groups, n), finite and not empty:
    (rows, groups) each, with 0 rows where the scheme has none."""
    _, offsets, thresholds, codes = _bquant.scheme_rows(scheme)
    groups = len(x)
    # Of what the data does not decide.
    empty = x.new_empty
    rows = [
        None,
        empty((offsets, groups), dtype=torch.float32).zero_(),
        empty((thresholds, groups), dtype=torch.float32),
        torch.arange(codes, device=x.device)[:, None].expand(codes, groups).contiguous(),
    ]
    if scheme in ("ls-1", "bwn"):
        rows[0] = _mean(x.abs())[None]
    elif scheme.startswith("gf-"):
        rows[0] = _greedy(x, int(scheme[3:]))
    elif scheme == "ls-2":
        rows[0] = _two(x)
    elif scheme == "ls-T":
        rows[0] = _ternary(x)
    elif scheme == "twn":
        rows[0], rows[2] = _ternary_by_mean(x)
    else:
        rows[0], rows[2] = _uniform(x, int(scheme.removeprefix("dorefa-w-")))
    rows[0] = rows[0].float()
    return tuple(rows)


def _mean(magnitudes: torch.Tensor) -> torch.Tensor:
    return magnitudes.double().mean(1)


def _greedy(x: torch.Tensor, planes: int) -> torch.Tensor:
    scalars = []
    for _ in range(planes):
        v = _mean(x.abs()).float()
        scalars.append(v)
        x = torch.where(x >= 0, x - v[:, None], x + v[:, None])
    return torch.stack(scalars)


def _splits(x: torch.Tensor):
    """Sums of the lower and the upper part of the sorted magnitudes, for each size of the lower
    part from 0 to n, and these sizes."""
    ordered = x.abs().sort(1).values.double()
    lower = torch.nn.functional.pad(ordered.cumsum(1), (1, 0))
    return lower, lower[:, -1:] - lower, torch.arange(lower.shape[1], device=x.device).double()


def _two(x: torch.Tensor) -> torch.Tensor:
    lower, upper, n0 = _splits(x)
    n = x.shape[1]
    n1 = n - n0
    cross = n0 * upper - n1 * lower
    gain = (cross.square() / (n0 * n1)).nan_to_num_(0.0, 0.0, 0.0)
    best, at = gain[:, :-1].max(1)
    at = at[:, None]
    total = lower[:, -1:]
    whole = best[:, None] <= 0  # all magnitudes are equal
    m0 = torch.where(whole, total / n, lower.gather(1, at) / at)
    m1 = torch.where(whole, total / n, upper.gather(1, at) / (n - at))
    return torch.cat([(m1 + m0) / 2, (m1 - m0) / 2], 1).T


def _ternary(x: torch.Tensor) -> torch.Tensor:
    _, upper, n0 = _splits(x)
    n1 = x.shape[1] - n0[:-1]
    gain = upper[:, :-1].square() / n1
    # The last of equal ones, whose upper part is the smallest.
    at = gain.shape[1] - 1 - gain.flip(1).argmax(1, keepdim=True)
    return (upper.gather(1, at) / n1[at] / 2).T


def _ternary_by_mean(x: torch.Tensor):
    threshold = 0.7 * _mean(x.abs())
    magnitudes = x.abs().double()
    over = magnitudes > threshold[:, None]
    count = over.sum(1)
    mean = (magnitudes * over).sum(1) / count.clamp_min(1)
    low, high = _least_from(-threshold), _least_above(threshold)
    return (mean / 2)[None], torch.stack([low, torch.zeros_like(low), high])


def _uniform(x: torch.Tensor, planes: int):
    if planes == 1:
        return _mean(x.abs())[None], x.new_zeros((1, len(x)), dtype=torch.float32)
    largest = x.abs().amax(1).double()
    steps = (1 << planes) - 1
    scalars = torch.where(largest > 0, 1 / steps, 0.0)[None]
    places = (2 * torch.arange(1, steps + 1, device=x.device).double() - 1 - steps) / steps
    return scalars, _least_from(torch.atanh(torch.tanh(largest) * places[:, None]))


def _least_from(x: torch.Tensor) -> torch.Tensor:
    """The least float32 that is at least x, a float64."""
    nearest = x.float()
    up = torch.nextafter(nearest, torch.full_like(nearest, torch.inf))
    return torch.where(nearest.double() < x, up, nearest)


def _least_above(x: torch.Tensor) -> torch.Tensor:
    nearest = x.float()
    up = torch.nextafter(nearest, torch.full_like(nearest, torch.inf))
    return torch.where(nearest.double() <= x, up, nearest)
