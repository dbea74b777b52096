"""`lsq-k`, `lsq-plus-k`: a learned step (Esser, McKinstry, Bablani, Appuswamy, Modha, Learned Step
Size Quantization, 2019), and a learned offset (Bhalgat, Lee, Nagel, Blankevoort, Kwak, LSQ+:
Improving Low-Bit Quantization through Learnable Offsets and Better Initialization, 2020).

    x^q = s round(clamp(x / s, -Q_N, Q_P))

Weights: Q_N = 2^(k - 1), Q_P = 2^(k - 1) - 1, k >= 2. Activations: Q_N = 0, Q_P = 2^k - 1. A layer
has one step for its weights and one for its input. The gradient passes straight through the
rounding; to s it is

    -Q_N where x / s <= -Q_N, Q_P where x / s >= Q_P, else round(x / s) - x / s

times 1 / sqrt(N Q_P), N the number of weights of the layer, or that of its input's features: the
values of one sample, so that it does not depend on the batch. s starts at 2 mean |x| / sqrt(Q_P).

LSQ+: activations are s round(clamp((x - b) / s, 0, 2^k - 1)) + b. The gradient of b, which is 1
where the clamp cuts and else 0, is scaled as that of s. s and b start where least squares in turn
with rounding, from the range of the first batch, end. Steps of weights start at
max(|m - 3 d|, |m + 3 d|) / 2^(k - 1), m and d the mean and the deviation.
"""

from __future__ import annotations

import torch

from .. import functional as F
from ..registry import register

_ROUNDS = 50


def _at_least_tiny(step: torch.Tensor) -> torch.Tensor:
    """Of values that are all zero the step is 1, which quantizes them to zeros."""
    return torch.where(step > 0, step, 1.0)


def _whole(x: torch.Tensor) -> tuple[int, ...]:
    return tuple(range(x.dim()))


def _round(x, step, low: int, high: int) -> torch.Tensor:
    y = torch.clamp(x / step, low, high)
    return F.straight_through(torch.round(y), y) * step


def weights_of(k: int):
    """`solve` and `quantize` of LSQ's weights, and `solve` of LSQ+'s."""
    low, high = -(1 << (k - 1)), (1 << (k - 1)) - 1

    def solve(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor]:
        return (_at_least_tiny(2 * x.abs().mean(_whole(x), keepdim=True) / high**0.5),)

    def solve_plus(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor]:
        mean = x.mean(_whole(x), keepdim=True)
        three = 3 * (x - mean).square().mean(_whole(x), keepdim=True).sqrt()
        size = torch.maximum((mean - three).abs(), (mean + three).abs())
        return (_at_least_tiny(size / (1 << (k - 1))),)

    def quantize(x: torch.Tensor, step: torch.Tensor) -> torch.Tensor:
        factor = (x.numel() * high) ** -0.5
        return _round(x, F.scale_gradient(step, factor), low, high)

    return solve, quantize, solve_plus


def activations_of(k: int):
    """`solve` and `quantize` of LSQ's activations, then those of LSQ+'s."""
    high = (1 << k) - 1

    def factor(x: torch.Tensor) -> float:
        features = x[0].numel() if x.dim() > 1 else x.numel()
        return (features * high) ** -0.5

    def solve(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor]:
        return (_at_least_tiny(2 * x.abs().mean() / high**0.5),)

    def quantize(x: torch.Tensor, step: torch.Tensor) -> torch.Tensor:
        return _round(x, F.scale_gradient(step, factor(x)), 0, high)

    def solve_plus(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor, torch.Tensor]:
        offset = x.amin()
        step = _at_least_tiny((x.amax() - offset) / high)
        mean = x.mean()
        for _ in range(_ROUNDS):
            ranks = torch.round(torch.clamp((x - offset) / step, 0, high))
            deviation = ranks - ranks.mean()
            slope = (deviation * (x - mean)).sum() / deviation.square().sum().clamp_min(1e-30)
            step = torch.where(slope > 0, slope, step)
            offset = mean - step * ranks.mean()
        return step, offset

    def quantize_plus(x, step, offset) -> torch.Tensor:
        step, offset = (F.scale_gradient(p, factor(x)) for p in (step, offset))
        return _round(x - offset, step, 0, high) + offset

    return solve, quantize, solve_plus, quantize_plus


for k in range(1, 9):
    start, function, start_plus, function_plus = activations_of(k)
    register(f"lsq-{k}", start, function, of="activations", bits=k, learned=True)
    register(f"lsq-plus-{k}", start_plus, function_plus, of="activations", bits=k, learned=True)
    if k > 1:
        start, function, start_plus = weights_of(k)
        register(f"lsq-{k}", start, function, of="weights", bits=k, learned=True)
        register(f"lsq-plus-{k}", start_plus, function, of="weights", bits=k, learned=True)
