"""`abc-k`: k binary bases (Lin, Zhao, Pan, Towards Accurate Binary Convolutional Neural Network,
2017), k from 1 to 5.

Weights, of each filter:

    w^q = sum_i a_i sign(w - t_i), t_i = mean w - u_i std w
    u_i = -1 + 2 (i - 1) / (k - 1), 0 for k = 1

with a of least squares. The gradient to w is g sum_i a_i, straight through each sign; t and a are
constants to it.

Activations:

    x^q = sum_i b_i h(x + v_i), h(x) = 1 where clip(x, 0, 1) >= 0.5, else -1

b_i and v_i are learned; the gradient passes h where 0 <= x + v_i <= 1. The paper does not say where
they start: here the steps 0.5 - v_i lie at mean - u_i std of the first batch, and b is of least
squares.

A layer of k weight bases and m activation bases is k m products of bits, also when it is compiled:
each basis is a plane. Activations take fewer where the fewest planes with their levels are fewer.
"""

from __future__ import annotations

import torch

from .. import functional as F
from ..registry import register


def _places(k: int) -> list[float]:
    return [-1 + 2 * i / (k - 1) for i in range(k)] if k > 1 else [0.0]


def _moments(x: torch.Tensor, dims: tuple[int, ...]) -> tuple[torch.Tensor, torch.Tensor]:
    mean = x.mean(dims, keepdim=True)
    return mean, (x - mean).square().mean(dims, keepdim=True).sqrt()


def _regress(
    x: torch.Tensor, bases: list[torch.Tensor], dims: tuple[int, ...]
) -> list[torch.Tensor]:
    """The scalars a of least ||x - sum_i a_i bases_i||^2, the smallest of several."""

    def dot(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return (a * b).mean(dims, keepdim=True, dtype=torch.float64)

    gram = torch.stack([torch.stack([dot(b, c) for c in bases], -1) for b in bases], -2)
    along = torch.stack([dot(b, x) for b in bases], -1)
    inverse = torch.linalg.pinv(gram, hermitian=True)
    return list((inverse * along.unsqueeze(-2)).sum(-1).float().unbind(-1))


def _within_half(x: torch.Tensor) -> torch.Tensor:
    return (x.abs() <= 0.5).to(x.dtype)


def _activation_bases(x, shifts):
    # h(x + v) is the sign of x + v - 0.5, which lies in [-0.5, 0.5] where the gradient passes.
    return [F.sign((x + v) - 0.5, _within_half) for v in shifts]


def _sum(scalars, bases) -> torch.Tensor:
    result = scalars[0] * bases[0]
    for scalar, base in zip(scalars[1:], bases[1:], strict=True):
        result = result + scalar * base
    return result


def weights_of(k: int):
    """`solve` and `quantize` of k bases of weights."""

    def solve(x: torch.Tensor, dims: tuple[int, ...]) -> list[torch.Tensor]:
        mean, deviation = _moments(x, dims)
        places = [mean - u * deviation for u in _places(k)]
        return [*_regress(x, [F.sign(x - t) for t in places], dims), *places]

    def quantize(x: torch.Tensor, *scalars: torch.Tensor) -> torch.Tensor:
        sizes, places = scalars[:k], scalars[k:]
        if F.is_exporting():
            return _by_rank(x, sizes, places)
        return _sum(sizes, [F.sign(x - t, "identity") for t in places])

    return solve, quantize


def _by_rank(x, sizes, places) -> torch.Tensor:
    """The same values, each basis a plane, in the operation that has parameters for each filter. A
    negative scalar is that of the opposite plane. Where x is at least r places, which descend, the
    last r bases are 1."""
    k = len(sizes)
    flips = [(a < 0).flatten().long() for a in sizes]
    codes = []
    for rank in range(1 << k):
        bits = [(flip + int(i >= k - rank)) % 2 for i, flip in enumerate(flips)]
        codes.append(sum(bit << (k - 1 - i) for i, bit in enumerate(bits)))
    thresholds = [t.flatten() for t in reversed(places)]
    thresholds += [torch.full_like(thresholds[0], torch.inf)] * ((1 << k) - 1 - k)
    v = torch.stack([a.abs().flatten() for a in sizes])
    parameters = F.Parameters(v, None, torch.stack(thresholds), torch.stack(codes))
    return F.by_rank(x, f"ls-{k}", (0,), parameters)


def activations_of(k: int):
    """`solve` and `quantize` of k bases of activations."""

    def solve(x: torch.Tensor, dims: tuple[int, ...]) -> list[torch.Tensor]:
        mean, deviation = _moments(x, dims)
        shifts = [0.5 - mean + u * deviation for u in _places(k)]
        return [*_regress(x, _activation_bases(x, shifts), dims), *shifts]

    def quantize(x: torch.Tensor, *scalars: torch.Tensor) -> torch.Tensor:
        return _sum(scalars[:k], _activation_bases(x, scalars[k:]))

    return solve, quantize


for k in range(1, 6):
    register(f"abc-{k}", *weights_of(k), of="weights", bits=k)
    register(f"abc-{k}", *activations_of(k), of="activations", bits=k, learned=True)
