"""Quantize activations."""

from __future__ import annotations

import math
from typing import TypeVar

import torch
import torch.distributed as dist

from .. import _bquant
from . import functional as F
from . import registry
from .errors import of_layer

_BUFFERS = ("scalars", "offset", "thresholds", "codes")
_Self = TypeVar("_Self", bound="Quantizer")


def paper_clamp(activations: str) -> float | None:
    """The paper's bound d of activations, which are clamped to [-d, d] before they are quantized:
    2, 3, 5, 8 for 1, 2 (and ternary), 3, 4 planes; 8 for more, too; None for "fp". No level and no
    threshold of dorefa and hwgq lies outside, so these are as without a clamp. A registered scheme
    has none."""
    F.check_scheme(activations, "activations")
    if activations == "fp" or registry.find(activations, "activations"):
        return None
    planes, _ = _bquant.scheme_info(activations)
    return (2.0, 3.0, 5.0, 8.0)[min(planes, 4) - 1]


class Quantizer(torch.nn.Module):
    """Clamps to [-clamp, clamp], then quantizes.

    Args:
        scheme: "ls-1" to "ls-8", "ls-T", "gf-1" to "gf-8", "bwn", "twn", "dorefa-1" to
            "dorefa-8", "hwgq-1" to "hwgq-8"; "fp" returns the input as it is, without
            the clamp.
        clamp: the largest magnitude; "paper" for that of `paper_clamp(scheme)`, or None for no
            clamp.
        scalars: "stored": training solves the scalars of each batch as a whole and
            keeps running averages, running = momentum * running + (1 - momentum) *
            batch, the first batch copied; eval mode uses the averages. "online": each
            sample's scalars are solved from itself, in training and in eval mode.
            "learned": a parameter, which the solver starts at the scalars of the first batch,
            and the optimizer changes; 0 where it goes below. Both of schemes whose planes are
            the sign cascade only.
        momentum: of the running averages.
        gradient: what takes the place of the derivative of each sign, see `functional.sign`;
            "identity" takes that of x^q for 1. Schemes whose planes are no cascade have
            gradients of their own.

    `scalars` is a buffer, float32 (k,), or (1,) for planes that share one, NaN before
    the first batch. Eval mode without a batch seen is an error, not a guess. Schemes
    whose planes are no cascade have the buffers `thresholds` (2^k - 1,) and `codes`
    (2^k,), too: of ls-k those of the nearest levels of `scalars`, of twn running
    averages. dorefa and hwgq do not look at the data: they have an `offset` (1,), and
    all is set from the start.
    """

    side = "activations"
    scheme: str
    clamp: float | None
    momentum: float
    gradient: F.Gradient
    online: bool
    learned: bool
    # Of what the scheme has.
    scalars: torch.Tensor
    offset: torch.Tensor
    thresholds: torch.Tensor
    codes: torch.Tensor

    def __init__(
        self,
        scheme: str = "ls-2",
        clamp: float | str | None = "paper",
        scalars: str = "stored",
        momentum: float = 0.99,
        gradient: F.Gradient = "hardtanh",
    ):
        super().__init__()
        self._init_options(scheme, clamp, scalars, momentum, gradient)
        if registry.find(scheme, "activations"):
            raise ValueError(
                f"expected one of bquant's own schemes, but got {scheme!r}, which SchemeQuantizer "
                "takes"
            )
        if self.scheme == "fp":
            return
        empty = F.empty_parameters(scheme)
        if (self.online or self.learned) and empty.thresholds is not None:
            raise ValueError(
                f"expected stored scalars for {scheme!r}, whose planes are no sign cascade"
            )
        if self.online:
            return
        if self.learned:
            self.scalars = torch.nn.Parameter(empty.scalars)
            return
        for name, rows in zip(_BUFFERS, empty, strict=True):
            if rows is not None:
                self.register_buffer(name, rows)
        self._store_fixed()

    def _init_options(
        self,
        scheme: str,
        clamp: float | str | None,
        scalars: str,
        momentum: float,
        gradient: F.Gradient,
    ) -> None:
        self.gradient = F.check_gradient(gradient)
        if scalars not in ("stored", "online", "learned"):
            raise ValueError(
                f"expected scalars to be 'stored', 'online' or 'learned', but got {scalars!r}"
            )
        self.scheme = F.check_scheme(scheme, self.side)
        if clamp == "paper":
            clamp = paper_clamp(scheme)
        if clamp is not None and (isinstance(clamp, str) or not 0 < clamp < math.inf):
            raise ValueError(f"expected clamp to be 'paper', None or above 0, but got {clamp!r}")
        if not 0 <= momentum < 1:
            raise ValueError(f"expected a momentum of at least 0 and below 1, but got {momentum!r}")
        self.clamp = None if clamp is None else float(clamp)
        self.momentum = float(momentum)
        self.online = scalars == "online"
        self.learned = scalars == "learned"
        # Whether there are scalars; a Python value, so that eval mode does not look
        # into a tensor.
        self._ready = False

    @property
    def stores_scalars(self) -> bool:
        return self.scheme != "fp" and not self.online

    @property
    def is_ready(self) -> bool:
        """Whether eval mode has the scalars that it needs."""
        return self._ready or not self.stores_scalars

    @property
    def _is_meta(self) -> bool:
        return self.stores_scalars and self.scalars.is_meta

    @property
    def stored_parameters(self) -> F.Parameters:
        """The buffers, as what quantizes."""
        return F.Parameters(*(getattr(self, name, None) for name in _BUFFERS))

    @torch.no_grad()
    def set_scalars(self, scalars: torch.Tensor) -> None:
        """Stores scalars from elsewhere, e.g. from calibration. ls-k for k >= 3 goes to their
        nearest levels; twn, dorefa and hwgq, whose thresholds are not those, are an error."""
        if not self.stores_scalars:
            raise ValueError(
                f"expected a quantizer that stores scalars, but got Quantizer({self.extra_repr()})"
            )
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
        if hasattr(self, "thresholds") and not self.scheme.startswith("ls-"):
            raise ValueError(f"expected a scheme with scalars alone, but got {self.scheme!r}")
        self.scalars.copy_(scalars)
        self._find_levels()
        self._ready = True

    def _apply(self, fn, recurse: bool = True):
        was_meta = self._is_meta
        keep_float32(self, fn, super()._apply, recurse)
        if was_meta and not self._is_meta:
            self._reset()  # to_empty: memory as it was
        return self

    @torch.no_grad()
    def _reset(self) -> None:
        """As before the first batch."""
        for rows in self.stored_parameters:
            if rows is not None:
                rows.fill_(math.nan if rows.is_floating_point() else 0)
        self._ready = False
        self._store_fixed()

    def train(self: _Self, mode: bool = True) -> _Self:
        super().train(mode)
        if not mode and self._look() and not self.scalars.is_inference():
            self._find_levels()  # codes cannot be averaged
            self._keep_learned()
        return self

    @torch.no_grad()
    def _look(self) -> bool:
        """Whether there are scalars by now: an averaged model copies numbers, and no flags."""
        if not self._ready and self.stores_scalars and not self._is_meta:
            self._ready = bool(self.scalars.isfinite().all())
        return self._ready

    @torch.no_grad()
    def _keep_learned(self) -> None:
        """Learned scalars are never below 0, wherever the last step took them."""
        if self.learned:
            self.scalars.data.clamp_(min=0)  # by data: a backward pass may still want them

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.scheme == "fp":
            return x
        if not x.is_floating_point():
            raise TypeError(f"expected an input of floats, but got {x.dtype}")
        if self.online:
            return self._forward_online(x)
        if self.learned and self.training:
            self._start(x)
            return self._quantize(x, self.stored_parameters)
        if self.training and F.depends_on_data(self.scheme):
            batch = F.solve(self._clamped(x.detach()), self.scheme)
            self._update(batch)
            return self._quantize(x, batch)
        if not F.depends_on_data(self.scheme):
            return self._quantize(x, self.stored_parameters)
        if not self._ready and (F.is_exporting() or not self._look()):
            raise self._not_ready()
        return self._quantize(x, self.stored_parameters)

    def _not_ready(self) -> Exception:
        error = RuntimeError(
            "expected stored scalars, but no batch has been seen in training mode "
            "(set_scalars stores others)"
        )
        return of_layer(error, self)

    def _clamped(self, x: torch.Tensor) -> torch.Tensor:
        return x if self.clamp is None else torch.clamp(x, -self.clamp, self.clamp)

    def _quantize(self, x: torch.Tensor, parameters: F.Parameters, axes=()) -> torch.Tensor:
        return F.quantize(x, self.scheme, parameters, axes, self.clamp, self.gradient)

    def _forward_online(self, x: torch.Tensor) -> torch.Tensor:
        # One node in an exported program; elsewhere a gradient may have to pass.
        if not self.training and (F.is_exporting() or not x.requires_grad):
            return F.quantize_online(self._clamped(x), self.scheme)
        solved = F.solve(self._clamped(x.detach()), self.scheme, axes=(0,))
        return self._quantize(x, solved, axes=(0,))

    @torch.no_grad()
    def _start(self, x: torch.Tensor) -> None:
        """Learned scalars begin as those of the first batch, of all processes."""
        if self._ready:
            self._keep_learned()
        else:
            self._store(F.solve(self._clamped(gathered(x)), self.scheme))

    @torch.no_grad()
    def _update(self, batch: F.Parameters) -> None:
        batch = averaged(batch)
        if not self._ready:
            self._store(batch)
            return
        self.scalars.mul_(self.momentum).add_(batch.scalars, alpha=1 - self.momentum)
        if self.scheme == "twn":
            # An average of thresholds that ascend ascends.
            self.thresholds.mul_(self.momentum).add_(batch.thresholds, alpha=1 - self.momentum)
        self._find_levels()

    @torch.no_grad()
    def _store(self, parameters: F.Parameters) -> None:
        for name, rows in zip(_BUFFERS, parameters, strict=True):
            if rows is not None:
                getattr(self, name).copy_(rows)
        self._ready = True

    def _store_fixed(self) -> None:
        """What does not depend on the data: those schemes have an offset."""
        if hasattr(self, "offset"):
            self._store(F.solve(torch.zeros(1), self.scheme))

    @torch.no_grad()
    def _find_levels(self) -> None:
        """Thresholds and codes of ls-k follow from the scalars."""
        if hasattr(self, "thresholds") and self.scheme.startswith("ls-"):
            thresholds, codes = F.nearest_levels(self.scalars)
            self.thresholds.copy_(thresholds)
            self.codes.copy_(codes)

    def _load_from_state_dict(self, state_dict, prefix, metadata, strict, missing, *args):
        """A state without these buffers, of a network before `convert`, is whole."""
        own: list[str] = []
        super()._load_from_state_dict(state_dict, prefix, metadata, strict, own, *args)
        whole = all(f"{prefix}{name}" in own for name, _ in self.named_buffers())
        missing += [] if whole else own
        if self.stores_scalars:
            self._ready = False
            self._look()
            self._keep_learned()

    def extra_repr(self) -> str:
        kind = "online" if self.online else "learned" if self.learned else "stored"
        return f"{self.scheme}, clamp={self.clamp}, scalars={kind!r}"


def keep_float32(module: torch.nn.Module, fn, apply, recurse: bool):
    """`apply(fn)`, which moves a module, but buffers of numbers stay float32: an average that takes
    in a hundredth of each batch stands still in the eight bits of bf16."""
    before = dict(module._buffers)
    apply(fn, recurse)
    for name, old in before.items():
        new = module._buffers[name]
        if new is not None and new.is_floating_point() and new.dtype != torch.float32:
            module._buffers[name] = old.to(new.device, torch.float32)
    return module


def averaged(batch: F.Parameters) -> F.Parameters:
    """The parameters of a batch, averaged over the processes of a distributed training, so that
    all keep the same."""
    if _processes() == 1:
        return batch
    rows = []
    for row in batch:
        if row is not None and row.is_floating_point():
            row = row.clone()
            dist.all_reduce(row)
            row /= _processes()
        rows.append(row)
    return F.Parameters(*rows)


@torch.no_grad()
def gathered(x: torch.Tensor) -> torch.Tensor:
    """The whole batch, of which the processes of a distributed training have parts, x this one's.
    It takes as much memory in each: of what happens once."""
    if _processes() == 1:
        return x
    parts: list[torch.Tensor] = [x] * _processes()
    dist.all_gather_object(parts, x.detach().cpu().clone())  # of any sizes
    return torch.cat(parts).to(x.device)


def _processes() -> int:
    return dist.get_world_size() if dist.is_available() and dist.is_initialized() else 1


class SignQuantizer(torch.nn.Module):
    """sign(clamp(x)): +1 where x >= 0, -1 elsewhere; the scale is another's.

    Args:
        clamp: outside of [-clamp, clamp] there is no gradient; None: none but the sign's.
        gradient: see `functional.sign`.
    """

    def __init__(self, clamp: float | None = None, gradient: F.Gradient = "hardtanh"):
        super().__init__()
        self.clamp, self.gradient = clamp, F.check_gradient(gradient)
        self.scheme = "sign"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.clamp is not None and not F.is_exporting():
            x = torch.clamp(x, -self.clamp, self.clamp)
        return F.sign(x, self.gradient)

    def extra_repr(self) -> str:
        return f"clamp={self.clamp}"
