"""Quantize activations."""

from __future__ import annotations

import math

import torch

from . import functional as F


class Quantizer(torch.nn.Module):
    """Clamps to [-clamp, clamp], then quantizes.

    Args:
        scheme: "ls-1", "ls-2", "ls-T", "gf-1" to "gf-8"; "fp" returns the input as it
            is, without the clamp.
        clamp: the largest magnitude, or None for no clamp.
        scalars: "stored": training solves the scalars of each batch as a whole and
            keeps running averages, running = momentum * running + (1 - momentum) *
            batch, the first batch copied; eval mode uses the averages. "online": each
            sample's scalars are solved from itself, in training and in eval mode.
        momentum: of the running averages.

    `scalars` is a buffer, float32 (k,), or (1,) for ternary, NaN before the first
    batch. Eval mode without a batch seen is an error, not a guess.
    """

    def __init__(
        self,
        scheme: str = "ls-2",
        clamp: float | None = 2.0,
        scalars: str = "stored",
        momentum: float = 0.99,
    ):
        super().__init__()
        if scalars not in ("stored", "online"):
            raise ValueError(f"expected scalars to be 'stored' or 'online', but got {scalars!r}")
        if clamp is not None and not 0 < clamp < math.inf:
            raise ValueError(f"expected clamp to be None or above 0, but got {clamp!r}")
        if not 0 <= momentum < 1:
            raise ValueError(f"expected a momentum of at least 0 and below 1, but got {momentum!r}")
        self.scheme = F.check_scheme(scheme, "the scheme")
        self.clamp = None if clamp is None else float(clamp)
        self.momentum = float(momentum)
        self.online = scalars == "online"
        # Whether there are scalars; a Python value, so that eval mode does not look
        # into a tensor.
        self._ready = False
        if self.stores_scalars:
            unset = torch.full((F.num_scalars(scheme),), math.nan)
            self.register_buffer("scalars", unset)

    @property
    def stores_scalars(self) -> bool:
        return self.scheme != "fp" and not self.online

    def set_scalars(self, scalars: torch.Tensor) -> None:
        """Stores scalars from elsewhere, e.g. from calibration."""
        scalars = torch.as_tensor(scalars)
        if scalars.shape != self.scalars.shape:
            raise ValueError(
                f"expected scalars of shape {tuple(self.scalars.shape)}, "
                f"but got {tuple(scalars.shape)}"
            )
        if not ((scalars >= 0) & scalars.isfinite()).all():
            raise ValueError(
                f"expected scalars that are finite and not negative, but got {scalars.tolist()}"
            )
        self.scalars.copy_(scalars)
        self._ready = True

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.scheme == "fp":
            return x
        if x.dtype != torch.float32:
            raise TypeError(f"expected an input of torch.float32, but got {x.dtype}")
        if self.clamp is not None:
            x = torch.clamp(x, -self.clamp, self.clamp)
        if self.online:
            return self._forward_online(x)
        if self.training:
            batch = F.solve(x, self.scheme)[:, 0]
            self._update(batch)
            return F.cascade(x, self.scheme, batch.unbind())
        if not self._ready:
            raise RuntimeError(
                "expected stored scalars, but no batch has been seen in training mode "
                "(set_scalars stores others)"
            )
        scalars = [self.scalars[i] for i in range(self.scalars.shape[0])]
        return F.cascade(x, self.scheme, scalars)

    def _forward_online(self, x: torch.Tensor) -> torch.Tensor:
        # One node in an exported program; elsewhere a gradient may have to pass.
        if not self.training and (F.is_exporting() or not x.requires_grad):
            return F.quantize_online(x, self.scheme)
        each = (-1, *[1] * (x.dim() - 1))
        scalars = [v.reshape(each) for v in F.solve(x, self.scheme, axes=(0,))]
        return F.cascade(x, self.scheme, scalars)

    @torch.no_grad()
    def _update(self, batch: torch.Tensor) -> None:
        if self._ready:
            self.scalars.mul_(self.momentum).add_(batch, alpha=1 - self.momentum)
        else:
            self.scalars.copy_(batch)
            self._ready = True

    def _load_from_state_dict(self, state_dict, prefix, *args):
        super()._load_from_state_dict(state_dict, prefix, *args)
        if self.stores_scalars:
            self._ready = bool(self.scalars.isfinite().all())

    def extra_repr(self) -> str:
        kind = "online" if self.online else "stored"
        return f"{self.scheme}, clamp={self.clamp}, scalars={kind!r}"
