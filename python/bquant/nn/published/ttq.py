"""`ttq`: trained ternary quantization of weights (Zhu, Han, Mao, Dally, Trained Ternary
Quantization, 2016).

    w^q = p where w > D, -n where w < -D, else 0        D = t max |w|, t = 0.05

p and n are learned, one pair a layer. With g the gradient to w^q,

    dL/dp = sum of g where w > D        dL/dn = -sum of g where w < -D
    dL/dw = p g where w > D, n g where w < -D, else g

The paper prints dL/dn without the sign, which the chain rule and the authors' code have. Their code
starts p and n at 1; here they start at the mean of |w| over the weights that they stand for, so
that a trained network keeps its size.
"""

from __future__ import annotations

import math

import torch

from .. import functional as F
from ..registry import register

THRESHOLD = 0.05


def _threshold(x: torch.Tensor) -> torch.Tensor:
    return THRESHOLD * x.detach().abs().amax()


def solve(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor, torch.Tensor]:
    threshold = _threshold(x)
    sides = []
    for values in (x, -x):
        over = (values > threshold).to(x.dtype)
        # Of one layer, whatever its rank.
        sides.append((values * over).sum() / over.sum().clamp_min(1))
    return sides[0].reshape([1] * x.dim()), sides[1].reshape([1] * x.dim())


class _Ternary(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, positive, negative, threshold):
        ctx.save_for_backward(x, positive, negative, threshold)
        return _select(x, positive, negative, threshold)

    @staticmethod
    def backward(ctx, gradient):
        x, positive, negative, threshold = ctx.saved_tensors
        over, under = x > threshold, x < -threshold
        size = torch.where(over, positive, torch.where(under, negative, 1.0))
        of_positive = (gradient * over).sum().reshape(positive.shape)
        of_negative = -(gradient * under).sum().reshape(negative.shape)
        return gradient * size, of_positive, of_negative, None


def _select(x, positive, negative, threshold) -> torch.Tensor:
    below = torch.where(x < -threshold, -negative, 0.0)
    return torch.where(x > threshold, positive, below)


def quantize(x: torch.Tensor, positive: torch.Tensor, negative: torch.Tensor) -> torch.Tensor:
    function = _select if F.is_exporting() else _Ternary.apply
    return function(x, positive, negative, _threshold(x))


register("ttq", solve, quantize, of="weights", bits=math.log2(3), learned=True)
