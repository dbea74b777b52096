"""What a trained network says of the images of a training."""

from __future__ import annotations

import copy
import hashlib
from pathlib import Path

import torch
from torch import nn

from .files import save_whole
from .fingerprints import fingerprint_network
from .recipe import Recipe

# What decides the images of a step.
_OF_IMAGES = ("seed", "batch", "shift", "flip", "crop", "jitter", "lighting")


class Teacher:
    """A network's logits, a batch at a time.

    Args:
        folder: where those of each epoch are kept, for the other trainings that see the same
            images in the same order; what is kept of another network or recipe is not read.
        device: where it computes.
        images: which images, and which part of them, it sees, and what else decides its logits.
    """

    def __init__(
        self,
        network: nn.Module,
        recipe: Recipe,
        folder: Path | None = None,
        device: torch.device | str = "cpu",
        images: tuple = (),
    ):
        self.network = copy.deepcopy(network).eval().to(device)
        self.folder = folder
        self._name = None if folder is None else _digest(self.network, recipe, images)
        self._path, self._kept, self._said = None, None, []

    def begin(self, epoch: int, steps: int) -> None:
        self._kept, self._said = None, []
        if self.folder is None:
            return
        self._path = self.folder / f"logits-{self._name}-{epoch}.pt"
        if self._path.exists():
            try:
                self._kept = torch.load(self._path, weights_only=True)
            except Exception as error:  # of zipfile, pickle, torch: whatever meets the fault
                reason = (str(error).strip() or type(error).__name__).splitlines()[0]
                raise ValueError(f"{self._path}: expected logits, but {reason}") from None
            if not isinstance(self._kept, torch.Tensor) or len(self._kept) != steps:
                raise ValueError(f"{self._path}: expected logits of {steps} steps, but got others")

    @torch.no_grad()
    def logits(self, step: int, x: torch.Tensor) -> torch.Tensor:
        """Of the images of a step, in the order of the steps."""
        if self._kept is not None:
            return self._kept[step].to(x.device)
        logits = self.network(x)
        if self.folder is not None:
            self._said.append(logits.cpu())
        return logits

    def end(self) -> None:
        """Behind the last step of an epoch."""
        if self._said:
            save_whole(self._path, torch.stack(self._said))
        self._said = []


def _digest(network: nn.Module, recipe: Recipe, images: tuple) -> str:
    """Of what decides the logits: the network, and the images of each step."""
    done = [getattr(recipe, name) for name in _OF_IMAGES]
    text = repr((done, images, fingerprint_network(network)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
