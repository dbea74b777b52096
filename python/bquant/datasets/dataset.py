"""What a dataset is."""

from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass
class Split:
    """Images uint8 (N, C, H, W) and their classes, int64 (N,)."""

    images: torch.Tensor
    labels: torch.Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def first(self, count: int) -> Split:
        return Split(self.images[:count], self.labels[:count])


@dataclass
class Dataset:
    """Two splits, and what they have in common.

    mean, std: of all values of the images to train on, which networks see at mean 0, deviation 1.
    """

    name: str
    train: Split
    test: Split
    classes: list[str]
    mean: float = 0.0
    std: float = 1.0

    def __post_init__(self) -> None:
        values = self.train.images
        # In integers: the same on every machine.
        total, n = values.sum(dtype=torch.int64).item(), values.numel()
        squares = sum(part.long().square().sum().item() for part in values.split(4096))
        self.mean = total / n
        self.std = max((squares / n - self.mean**2) ** 0.5, 1e-3)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(C, H, W)"""
        _, *shape = self.train.images.shape
        return tuple(shape)

    def prepare(self, images: torch.Tensor) -> torch.Tensor:
        """uint8 (N, C, H, W) to float32, as networks take them: contiguous, for compiled ones."""
        return images.float().contiguous().sub_(self.mean).div_(self.std)
