"""`adabin`: two values at a distance from a center (Tu, Chen, Ren, Wang, AdaBin: Improving Binary
Neural Networks with Adaptive Binary Sets, 2022).

    x^q = center + distance sign((x - center) / distance)

Weights: center = mean x, distance = ||x - center|| / sqrt(n) of each filter, in closed form (n is
the number of its values); slope of the sign 1 - tanh(u / 10)^2, the authors' (k = 10, t = 0.1).

Activations: both are learned, slope of the sign 2 - 2 |u| up to |u| = 1 (Bi-Real Net's). They start
at mean and deviation of the first batch, which are the authors' 0 and 1 after a batch norm. The
authors' code computes distance (sign + center); here it is as their paper has it.
"""

from __future__ import annotations

import torch

from .. import functional as F
from ..registry import register


def solve(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor, torch.Tensor]:
    center = x.mean(dims, keepdim=True)
    return center, (x - center).square().mean(dims, keepdim=True).sqrt()


def _slope(u: torch.Tensor) -> torch.Tensor:
    return 1 - torch.tanh(u / 10) ** 2


def _quantize(x, center, distance, gradient: F.Gradient) -> torch.Tensor:
    # Values that are all equal have a distance of 0.
    u = (x - center) / distance.clamp_min(torch.finfo(torch.float32).tiny)
    return center + distance * F.sign(u, gradient)


def quantize_weights(x, center, distance) -> torch.Tensor:
    return _quantize(x, center, distance, _slope)


def quantize_activations(x, center, distance) -> torch.Tensor:
    return _quantize(x, center, distance, "approx_sign")


register("adabin", solve, quantize_weights, of="weights")
register("adabin", solve, quantize_activations, of="activations", learned=True)
