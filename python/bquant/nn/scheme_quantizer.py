"""Quantize by a registered scheme."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from . import functional as F
from . import registry
from .errors import of_layer
from .quantizer import Quantizer, gathered


class SchemeQuantizer(Quantizer):
    """What layers have where a scheme is a registered one; its subclasses change how a scheme gets
    its scalars (`register(..., quantizer=)`).

    `scalars` is float32: (n,) of activations; (n, m) of weights, which the scheme's n scalars
    broadcast against as tensors of m values of the shape `shape`. Solved scalars of activations are
    running averages, as those of `Quantizer`; solved scalars of weights follow from the weights,
    and a state does not hold them. Learned ones are a parameter.

    Args:
        scheme: a registered one.
        clamp: of activations, to [-clamp, clamp]; None or "paper": no clamp.
        scalars: "stored": as the scheme is registered; "learned": a parameter.
        momentum: of the running averages.
        weight: the weights that are to be quantized; None for activations.
    """

    shape: tuple[int, ...]
    # Whether scalars go on from step to step, after a start: learned ones do.
    kept = False

    def __init__(
        self,
        scheme: str,
        clamp: float | str | None = None,
        scalars: str = "stored",
        momentum: float = 0.99,
        weight: torch.Tensor | None = None,
    ):
        torch.nn.Module.__init__(self)
        self.side = "activations" if weight is None else "weights"
        self._init_options(scheme, clamp, scalars, momentum, "hardtanh")
        registered = registry.find(scheme, self.side)
        if registered is None:
            raise ValueError(f"expected a registered scheme of {self.side}, but got {scheme!r}")
        if self.online:
            raise ValueError(
                f"expected stored or learned scalars for {scheme!r}, a registered scheme, but got "
                "'online'"
            )
        self.learned = self.learned or registered.learned
        self.kept = self.kept or self.learned
        with torch.no_grad():
            # Its scalars' shape counts alone.
            example = torch.ones(2, 3) if weight is None else weight.detach().float()
            solved = self._stack(registered.solve(example, self._dims(example)), example)
        self.shape = tuple(solved.shape[1:]) if self.side == "weights" else ()
        rows = torch.full_like(self._rows(solved), torch.nan)
        if self.learned:
            self.scalars = torch.nn.Parameter(rows)
        else:
            is_state = self.side == "activations" or self.kept
            self.register_buffer("scalars", rows, persistent=is_state)

    @property
    def registered(self) -> registry.Scheme:
        scheme = registry.find(self.scheme, self.side)
        if scheme is None:  # It was unpickled in a program that does not register it.
            raise of_layer(
                ValueError(f"expected {self.scheme!r} to be registered for {self.side}"), self
            )
        return scheme

    def _dims(self, x: torch.Tensor) -> tuple[int, ...]:
        return tuple(range(0 if self.side == "activations" else 1, x.dim()))

    def _rows(self, stacked: torch.Tensor) -> torch.Tensor:
        """Scalars (n, *shape) as they are stored: of two dimensions at most, which no memory format
        of layers is about."""
        return stacked.flatten(1) if self.side == "weights" else stacked.flatten()

    def _stack(self, solved: Sequence[torch.Tensor], x: torch.Tensor) -> torch.Tensor:
        """What the solver of x has found, (n, *shape)."""
        what = f"expected the solver of {self.scheme!r} to return"
        if isinstance(solved, torch.Tensor) or not len(solved):
            raise ValueError(f"{what} one tensor or more in a tuple, but got {solved!r}")
        try:
            rows = torch.stack(torch.broadcast_tensors(*solved)).float()
            fits = torch.broadcast_shapes(rows.shape[1:], x.shape) == x.shape
        except RuntimeError:
            fits = False
        shapes = ", ".join(str(tuple(row.shape)) for row in solved)
        if not fits:
            raise ValueError(
                f"{what} tensors that broadcast against {tuple(x.shape)}, but got {shapes}"
            )
        if self.side == "activations" and rows[0].numel() != 1:
            raise ValueError(f"{what} one number each for activations, but got {shapes}")
        return rows

    @torch.no_grad()
    def solve(self, x: torch.Tensor) -> torch.Tensor:
        """The scalars of x, solved from it alone. ValueError: x or they are not finite."""
        x = torch.ops.bquant.finite(x.detach().float(), "values")
        rows = self._rows(self._stack(self.registered.solve(x, self._dims(x)), x))
        return torch.ops.bquant.finite(rows, f"scalars of {self.scheme!r}")

    @torch.no_grad()
    def forget(self) -> None:
        """Scalars that are kept start again at what comes next."""
        if self.kept:
            self._reset()

    def scalars_of(self, x: torch.Tensor) -> torch.Tensor:
        """The scalars that quantize x; what is stored is brought up to date."""
        can_solve = not F.is_exporting() and (self.training or self.side == "weights")
        if can_solve and self.kept and not self._ready:
            # Weights are the same in all processes; each has a part of the activations.
            whole = x if self.side == "weights" else gathered(x)
            self._store(F.Parameters(self.solve(whole)))
        elif can_solve and not self.kept:
            solved = F.Parameters(self.solve(x))
            if self.side == "weights":
                self._store(solved)
            else:
                self._update(solved)
            return solved.scalars
        if not self._ready and (F.is_exporting() or not self._look()):
            raise self._not_ready()
        return self.scalars

    def quantize(self, x: torch.Tensor, scalars: torch.Tensor) -> torch.Tensor:
        """x^q of x's shape and type, by the scheme's function."""
        return self.registered.quantize(x.float(), *self._unstack(scalars)).to(x.dtype)

    def _unstack(self, scalars: torch.Tensor) -> list[torch.Tensor]:
        return [scalars[i].reshape(self.shape).float() for i in range(scalars.shape[0])]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not x.is_floating_point():
            raise TypeError(f"expected an input of floats, but got {x.dtype}")
        x = self._clamped(x)
        return self.quantize(x, self.scalars_of(x))

    def _keep_learned(self) -> None:
        """Scalars of a scheme of one's own may have either sign."""

    @torch.no_grad()
    def set_scalars(self, scalars: torch.Tensor) -> None:
        """Stores scalars from elsewhere, float32 of the shape of `scalars`."""
        scalars = torch.as_tensor(scalars)
        if scalars.shape != self.scalars.shape:
            raise ValueError(
                f"expected scalars of shape {tuple(self.scalars.shape)}, "
                f"but got {tuple(scalars.shape)}"
            )
        if not scalars.isfinite().all():
            raise ValueError(f"expected scalars that are finite, but got {scalars.tolist()}")
        self._store(F.Parameters(scalars))


def of_activations(
    scheme: str,
    clamp: float | str | None,
    scalars: str,
    momentum: float,
    gradient: F.Gradient,
) -> Quantizer:
    """The quantizer of a layer's input."""
    registered = registry.find(scheme, "activations")
    if registered is None:
        return Quantizer(scheme, clamp, scalars, momentum, gradient)
    return (registered.quantizer or SchemeQuantizer)(scheme, clamp, scalars, momentum)


def of_weights(scheme: str, weight: torch.Tensor) -> SchemeQuantizer | None:
    """What quantizes the weights of a layer, where their scheme is a registered one."""
    registered = registry.find(scheme, "weights")
    if registered is None:
        return None
    return (registered.quantizer or SchemeQuantizer)(scheme, weight=weight)
