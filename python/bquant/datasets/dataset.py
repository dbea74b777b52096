"""What a dataset is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import torch


class Images(Protocol):
    """Images as a `torch.Tensor` has them, uint8 (N, C, H, W); those of files are read when they
    are asked for (`ImageFiles`)."""

    @property
    def shape(self) -> torch.Size: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: Any) -> torch.Tensor: ...

    def split(self, size: int) -> Iterable[torch.Tensor]: ...


@dataclass
class Split:
    """Images uint8 (N, C, H, W) and their classes, int64 (N,)."""

    images: Images
    labels: torch.Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def first(self, count: int) -> Split:
        return Split(self.images[:count], self.labels[:count])


@dataclass
class Dataset:
    """Two splits, and what they have in common.

    mean, std: of all values of the images to train on, or of each channel where they are given:
        networks see (image - mean) / std.
    """

    name: str
    train: Split
    test: Split
    classes: list[str]
    mean: float | tuple[float, ...] = 0.0
    std: float | tuple[float, ...] = 0.0

    def __post_init__(self) -> None:
        if self.std:
            return
        values = self.train.images[:]
        # In integers: the same on every machine.
        total, n = values.sum(dtype=torch.int64).item(), values.numel()
        squares = sum(part.long().square().sum().item() for part in values.split(4096))
        mean = total / n
        self.mean, self.std = mean, max((squares / n - mean**2) ** 0.5, 1e-3)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(C, H, W)"""
        _, *shape = self.train.images.shape
        return tuple(shape)

    def prepare(self, images: torch.Tensor) -> torch.Tensor:
        """uint8 (N, C, H, W) to float32, as networks take them: contiguous, for compiled ones."""
        mean, std = (_of_channels(value, images.device) for value in (self.mean, self.std))
        return images.float().contiguous().sub_(mean).div_(std)


def _of_channels(value: float | tuple[float, ...], device: torch.device):
    return torch.tensor(value, device=device)[:, None, None] if isinstance(value, tuple) else value
