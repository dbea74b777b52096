"""An optimizer of signs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch


class Bop(torch.optim.Optimizer):
    """The binary optimizer (Helwegen, Widdicombe, Geiger, Liu, Cheng, Nusselder, "Latent Weights Do
    Not Exist: Rethinking Binarized Neural Network Optimization", 2019): of a weight w with the
    gradient g, in each step,

        m = (1 - adaptivity) m + adaptivity g, with m = 0 at first,
        w = -w where |m| > threshold and sign(m) = sign(w).

    A weight changes its sign and keeps its magnitude, so that scales that are means of magnitudes,
    such as those of `nn.SignConv2d`, stay. The sign of 0 is +1, as it is in layers; such a weight
    becomes the least normal number, with the other sign.

    Args:
        params: weights of which signs are taken (or groups of them, as of other optimizers): a
            convolution's with one plane, no biases and no norms.
        threshold: tau of the paper, at least 0: the higher, the fewer signs change.
        adaptivity: gamma of the paper, above 0 and at most 1: the part of the average that is new.
            The defaults are those that the paper's long trainings begin with; one of few epochs
            takes larger ones, such as 1e-6 and 1e-2.
    """

    def __init__(
        self,
        params: Iterable[torch.Tensor] | Iterable[dict[str, Any]],
        threshold: float = 1e-8,
        adaptivity: float = 1e-4,
    ):
        if not threshold >= 0:
            raise ValueError(f"expected a threshold of at least 0, but got {threshold!r}")
        if not 0 < adaptivity <= 1:
            raise ValueError(
                f"expected an adaptivity above 0 and at most 1, but got {adaptivity!r}"
            )
        super().__init__(params, {"threshold": threshold, "adaptivity": adaptivity})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """One step, by the gradients of the last backward pass."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._flip(weight, group["threshold"], group["adaptivity"])
        return loss

    def _flip(self, weight: torch.Tensor, threshold: float, adaptivity: float) -> None:
        state = self.state[weight]
        if not state:
            state["average"] = torch.zeros_like(weight)
        average = state["average"]
        average.mul_(1 - adaptivity).add_(weight.grad, alpha=adaptivity)
        sign = torch.where(weight >= 0, 1.0, -1.0)
        opposite = torch.where(weight == 0, -sign * torch.finfo(weight.dtype).tiny, -weight)
        weight.copy_(torch.where(average * sign > threshold, opposite, weight))
