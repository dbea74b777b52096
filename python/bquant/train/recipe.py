"""How a network is trained."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral


@dataclass(frozen=True)
class Recipe:
    """Args:
    epochs, batch: passes over the images to train on, and images of a step; the rest of an
        epoch that fills no batch is left out.
    rate: of Adam, at its highest: it rises over the first `warmup` epochs, then falls as
        (1 - t)^power over the rest.
    weight_decay: of the weights of float layers (as AdamW has it); quantized weights, norms
        and biases have none: what is quantized does not depend on how large it is.
    temperature: with a teacher the loss is T^2 KL(teacher / T || student / T) (Hinton, Vinyals
        and Dean 2015; the paper has T = 1); without one the cross-entropy.
    shift, flip: each image moves by up to so many pixels, and is mirrored half of the time.
    seed: of the order of the images and of what is done to them.
    """

    epochs: int = 12
    batch: int = 128
    rate: float = 2e-3
    power: float = 1.0
    warmup: float = 0.5
    weight_decay: float = 0.0
    temperature: float = 2.0
    shift: int = 2
    flip: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("epochs", 1), ("batch", 1), ("shift", 0), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, Integral) or value < least:
                raise ValueError(f"expected {name} of at least {least}, but got {value!r}")
        for name in ("rate", "temperature"):
            if not getattr(self, name) > 0:
                raise ValueError(f"expected a {name} above 0, but got {getattr(self, name)}")

    def rate_at(self, epoch: float) -> float:
        """The learning rate, `epoch` epochs after the start."""
        if epoch < self.warmup:
            return self.rate * (epoch + 1e-2) / (self.warmup + 1e-2)
        rest = (self.epochs - epoch) / max(self.epochs - self.warmup, 1e-9)
        return self.rate * max(rest, 0.0) ** self.power
