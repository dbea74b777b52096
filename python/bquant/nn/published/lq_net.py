"""`lq-k`: a learned basis (Zhang, Yang, Ye, Hua, LQ-Nets: Learned Quantization for Highly Accurate
and Compact Deep Neural Networks, 2018), k of weights 1 or 2, of activations 1 to 4.

    x^q = the nearest of v_1 c_1 + ... + v_k c_k        c in {-1, 1} (weights), {0, 1} (activations)

up to midpoints, a value on one to the level below. The basis v is fitted in turn with the codes: in
each training step, with the codes of the values by the old basis in the rows of B,

    v' = (B'B + e I)^-1 (B'x + e v), v = 0.9 v + 0.1 v'        e = 0.0001

and the step itself quantizes by the old v. Each filter has a basis of its own; activations share
one. The authors' code adds e in the fit of weights only; here it is in both, as a batch may leave
a code unused. The gradient passes straight through, of activations up to the highest level.

The basis starts at v_i = 2^(i - 1) v_1, v_1 = 0.6745 d / 2^(k - 1) for weights of deviation d, and
0.6745 2 / (2^k - 1) for activations, which follow a batch norm and a ReLU; 0.6745 is the third
quartile of a normal value. The authors take d from their initializer; here it is the filter's.
Eight fits to the first values follow, so that a trained network can start, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import torch

from .. import functional as F
from ..quantizer import averaged
from ..registry import register
from ..scheme_quantizer import SchemeQuantizer

_QUARTILE = 0.6745
_EPSILON = 1e-4
_MOMENTUM = 0.9
_FITS = 8


class _Basis:
    """What belongs to k basis vectors and the codes of one side."""

    def __init__(self, k: int, side: str):
        self.k, self.side = k, side
        values = (-1.0, 1.0) if side == "weights" else (0.0, 1.0)
        self.codes = list(itertools.product(values, repeat=k))

    def levels(self, basis: Sequence[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """The levels ascending, and which code each has; (2^k, ...) of basis vectors (...)."""
        levels = []
        for code in self.codes:
            terms = [v * c for v, c in zip(basis, code, strict=True)]
            levels.append(sum(terms[1:], terms[0]))
        return torch.stack(levels).sort(0)

    def start(self, x: torch.Tensor, dims: tuple[int, ...]) -> list[torch.Tensor]:
        if self.side == "weights":
            mean = x.mean(dims, keepdim=True)
            deviation = (x - mean).square().mean(dims, keepdim=True).sqrt()
            first = _QUARTILE * deviation / (1 << (self.k - 1))
        else:
            first = torch.full_like(x.mean(dims, keepdim=True), 2 * _QUARTILE / (2**self.k - 1))
        return [first * (1 << i) for i in range(self.k)]

    def fit(
        self, x: torch.Tensor, basis: Sequence[torch.Tensor], dims: tuple[int, ...]
    ) -> list[torch.Tensor]:
        """v' of the old basis v."""
        levels, order = self.levels(basis)
        rank = sum((x > (low + high) / 2).long() for low, high in itertools.pairwise(levels))
        # Of activations, each basis vector is a number.
        order = order.reshape(len(order), *[1] * (x.dim() + 1 - order.dim()), *order.shape[1:])
        code = torch.gather(order.expand(-1, *x.shape), 0, rank[None])[0]
        table = torch.tensor(self.codes, device=x.device)
        columns = [table[:, i][code] for i in range(self.k)]

        def dot(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            return (a * b).sum(dims, keepdim=True, dtype=torch.float64)

        gram = torch.stack([torch.stack([dot(b, c) for c in columns], -1) for b in columns], -2)
        along = torch.stack([dot(b, x) for b in columns], -1)
        unit = torch.eye(self.k, dtype=torch.float64, device=x.device)
        old = torch.stack(list(basis), -1).double()
        solved = torch.linalg.solve(gram + _EPSILON * unit, along + _EPSILON * old)
        return list(solved.float().unbind(-1))

    def solve(self, x: torch.Tensor, dims: tuple[int, ...]) -> list[torch.Tensor]:
        basis = self.start(x, dims)
        for _ in range(_FITS):
            basis = self.fit(x, basis, dims)
        return basis

    def quantize(self, x: torch.Tensor, *basis: torch.Tensor) -> torch.Tensor:
        levels, _ = self.levels([v.detach() for v in basis])
        xq = levels[0].expand_as(x)
        for low, high in itertools.pairwise(levels):
            xq = torch.where(x > (low + high) / 2, high, xq)
        # Of activations the gradient ends at the highest level.
        through = x if self.side == "weights" else torch.minimum(x, levels[-1])
        return F.straight_through(xq, through)


class BasisQuantizer(SchemeQuantizer):
    """Keeps a basis, which each training step moves towards the fit of its values."""

    kept = True

    def scalars_of(self, x: torch.Tensor) -> torch.Tensor:
        scalars = super().scalars_of(x)
        if not self.training or F.is_exporting():
            return scalars
        used = scalars.clone()
        self._move(x, used)
        return used

    @torch.no_grad()
    def _move(self, x: torch.Tensor, basis: torch.Tensor) -> None:
        x = x.detach().float()
        fit = _BASES[self.scheme, self.side].fit
        fitted = self._stack(fit(x, self._unstack(basis), self._dims(x)), x)
        batch = averaged(F.Parameters(self._rows(fitted)))
        self.scalars.mul_(_MOMENTUM).add_(batch.scalars, alpha=1 - _MOMENTUM)


_BASES = {
    (f"lq-{k}", side): _Basis(k, side)
    for side, most in (("weights", 2), ("activations", 4))
    for k in range(1, most + 1)
}
for (name, side), basis in _BASES.items():
    register(name, basis.solve, basis.quantize, of=side, bits=basis.k, quantizer=BasisQuantizer)
