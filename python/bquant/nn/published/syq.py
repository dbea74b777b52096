"""`syq`, `syq-row`: signs with a learned scale for each position of the kernel (Faraone, Fraser,
Blott, Leong, SYQ: Learning Symmetric Quantization for Efficient Deep Neural Networks, 2018).

    w^q[o, i, y, x] = scale[y, x] sign(w[o, i, y, x])

`syq` has a scale for each pixel (y, x) of the kernel, `syq-row` one for each row y; filters and
channels share them, and a linear layer has one. They start at the mean of |w| over what shares
them. The gradient passes the sign as it is (slope 1), and the scale by the chain rule. This is the
paper's binary form (its threshold eta = 0); the paper joins it with activations of 2 or 8 bits.

A scale along the reduction of a product cannot leave a count of bits, so that the layer stays float
when it is compiled, and the report says so.
"""

from __future__ import annotations

import torch

from .. import functional as F
from ..registry import register


def solve_pixels(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor]:
    return (x.abs().mean((0, 1), keepdim=True),)


def solve_rows(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor]:
    along = (0, 1, 3) if x.dim() == 4 else (0, 1)
    return (x.abs().mean(along, keepdim=True),)


def quantize(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    return F.sign(x, "identity") * scale


register("syq", solve_pixels, quantize, of="weights", learned=True)
register("syq-row", solve_rows, quantize, of="weights", learned=True)
