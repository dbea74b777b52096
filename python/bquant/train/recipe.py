"""How a network is trained."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real

OPTIMIZERS = ("adam", "sgd")

_INTEGERS = {"epochs": 1, "batch": 1, "shift": 0, "seed": 0, "step_size": 0}  # and the least
_FLOATS = (
    "rate", "power", "warmup", "weight_decay", "temperature", "last_rate", "jitter", "lighting",
)  # fmt: skip
_LARGEST_SEED = 2**47 - 1  # torch takes 64 bits; the last 16 are the epoch's


@dataclass(frozen=True)
class Recipe:
    """Args:
    epochs, batch: passes over the images to train on, and images of a step; the rest of an
        epoch that fills no batch is left out.
    rate: at its highest: it rises over the first `warmup` epochs, then falls to `last_rate` as
        (1 - t)^power over the rest.
    step_size: epochs after each of which the rate is a tenth, in place of that; 0: none.
    optimizer: "adam", or "sgd" with Nesterov's momentum of 0.9.
    weight_decay: of the weights of float layers (with "adam" as AdamW has it); quantized weights,
        norms and biases have none: what is quantized does not depend on how large it is.
    temperature: with a teacher the loss is T^2 KL(teacher / T || student / T) (Hinton, Vinyals
        and Dean 2015; the paper has T = 1); without one the cross-entropy.
    shift, flip: each image moves by up to so many pixels, and is mirrored half of the time.
    crop: a random part of each image, of 8 % to 100 % of its area and of sides 3:4 to 4:3, resized
        to the size of the dataset's images (Szegedy and others 2015).
    jitter: brightness, contrast and saturation, in a random order, times a factor of 1 - jitter to
        1 + jitter each.
    lighting: the deviation of the noise along the principal components of ImageNet's colours
        (Krizhevsky, Sutskever and Hinton 2012, who have 0.1).
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
    last_rate: float = 0.0
    step_size: int = 0
    optimizer: str = "adam"
    crop: bool = False
    jitter: float = 0.0
    lighting: float = 0.0

    @classmethod
    def paper(cls, epochs: int = 240, seed: int = 0) -> Recipe:
        """The paper's training on ImageNet: from random weights, Adam from 2e-4 down to 2e-7 in a
        line, no decay, soft labels of a float teacher at temperature 1; 240 epochs, 120 in its
        ablations. The network is `models.resnet18` as it is. The batch is that of the authors'
        code, as are the factors of the colours; that has no lighting."""
        return cls(
            epochs=epochs, batch=256, rate=2e-4, last_rate=2e-7, warmup=0.0, temperature=1.0,
            shift=0, crop=True, jitter=0.4, lighting=0.1, seed=seed,
        )  # fmt: skip

    @classmethod
    def paper_teacher(cls, epochs: int = 100, seed: int = 0) -> Recipe:
        """The float teacher's, as the authors' code has it: SGD at a rate of 0.1, a tenth after
        each 30 epochs, decay 1e-4."""
        return cls(
            epochs=epochs, batch=256, rate=0.1, step_size=30, warmup=0.0, weight_decay=1e-4,
            optimizer="sgd", shift=0, crop=True, jitter=0.4, seed=seed,
        )  # fmt: skip

    def __post_init__(self) -> None:
        # Python's own numbers: those of NumPy cannot be read back from a checkpoint.
        for name, least in _INTEGERS.items():
            value = getattr(self, name)
            if not isinstance(value, Integral) or value < least:
                raise ValueError(f"expected {name} of at least {least}, but got {value!r}")
            object.__setattr__(self, name, int(value))
        if self.seed > _LARGEST_SEED:
            raise ValueError(f"expected seed of at most {_LARGEST_SEED}, but got {self.seed}")
        for name in _FLOATS:
            value = getattr(self, name)
            if not isinstance(value, Real) or not math.isfinite(value):
                raise ValueError(f"expected a finite {name}, but got {value!r}")
            object.__setattr__(self, name, float(value))
        for name in ("crop", "flip"):
            value = getattr(self, name)
            if value not in (False, True):
                raise ValueError(f"expected {name} to be True or False, but got {value!r}")
            object.__setattr__(self, name, bool(value))
        for name in ("rate", "temperature"):
            if not getattr(self, name) > 0:
                raise ValueError(f"expected a {name} above 0, but got {getattr(self, name)}")
        for name in ("power", "warmup", "weight_decay"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"expected a {name} of at least 0, but got {getattr(self, name)}")
        for name, bound in (("last_rate", self.rate), ("jitter", 1.0), ("lighting", 1.0)):
            if not 0 <= getattr(self, name) <= bound:
                raise ValueError(
                    f"expected a {name} of 0 to {bound:g}, but got {getattr(self, name)}"
                )
        if self.optimizer not in OPTIMIZERS:
            raise ValueError(
                f"expected an optimizer of {', '.join(OPTIMIZERS)}, but got {self.optimizer!r}"
            )

    def rate_at(self, epoch: float) -> float:
        """The learning rate, `epoch` epochs after the start."""
        if epoch < self.warmup:
            return self.rate * (epoch + 1e-2) / (self.warmup + 1e-2)
        if self.step_size:
            return self.rate * 0.1 ** (int(epoch) // self.step_size)
        rest = (self.epochs - epoch) / max(self.epochs - self.warmup, 1e-9)
        return self.last_rate + (self.rate - self.last_rate) * max(rest, 0.0) ** self.power
