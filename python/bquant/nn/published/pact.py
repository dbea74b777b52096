"""`pact-k`: activations with a learned clip (Choi, Wang, Venkataramani, Chuang, Srinivasan,
Gopalakrishnan, PACT: Parameterized Clipping Activation for Quantized Neural Networks, 2018).

    y = 0.5 (|x| - |x - a| + a) = clamp(x, 0, a)        x^q = round(y n / a) a / n, n = 2^k - 1

The gradient passes straight through the rounding: to x where 0 <= x < a, to a where x >= a. The
paper starts a at a number that clips nothing, and pulls it down by weight decay: here it starts at
the largest value of the first batch; the decay is the optimizer's. The paper's weights are
`dorefa-w-k`.
"""

from __future__ import annotations

import torch

from .. import functional as F
from ..registry import register


def solve(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor]:
    # A batch without a positive value leaves it at 1.
    largest = x.amax(dims, keepdim=True)
    return (torch.where(largest > 0, largest, 1.0),)


def quantizer(k: int):
    """The function `quantize(x, a)` of k bits."""
    steps = (1 << k) - 1

    def quantize(x: torch.Tensor, bound: torch.Tensor) -> torch.Tensor:
        bound = bound.abs()  # whatever the last step did
        y = torch.where(x < bound, x.clamp(min=0), bound)
        return F.straight_through(torch.round(y * (steps / bound)) * (bound / steps), y)

    return quantize


for k in range(1, 9):
    register(f"pact-{k}", solve, quantizer(k), of="activations", bits=k, learned=True)
