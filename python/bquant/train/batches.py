"""Batches of images, made in this process or in others, which read ahead."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral

import torch
from torch.utils.data import DataLoader
from torch.utils.data import Dataset as TorchDataset

from ..datasets import Split
from .images import augmented, draw
from .recipe import Recipe

Batch = tuple[torch.Tensor, torch.Tensor]  # images uint8 (n, C, H, W), labels int64 (n,)


def check_loaders(loaders: int) -> int:
    if not isinstance(loaders, Integral) or loaders < 0:
        raise ValueError(f"expected at least 0 loader processes, but got {loaders!r}")
    return int(loaders)


class _Batches(TorchDataset):
    def __len__(self) -> int:
        raise NotImplementedError

    def _make(self, step: int) -> Batch:
        raise NotImplementedError

    def __getitem__(self, step: int) -> Batch | ValueError:
        """An error is returned: a loader process would raise it with a traceback of its own."""
        try:
            return self._make(step)
        except ValueError as error:  # a file that is no image
            return error

    def load(self, loaders: int = 0, pin: bool = False) -> Iterator[Batch]:
        """In order. `loaders`: how many processes make them; 0: this one, when they are asked for.
        `pin`: into memory that a GPU copies from while it computes."""
        items = DataLoader(
            self, batch_size=None, num_workers=check_loaders(loaders), pin_memory=pin,
            generator=torch.Generator(),  # torch's own is that of the network
        )  # fmt: skip
        for item in items:
            if isinstance(item, ValueError):
                raise item
            yield tuple(item)


class TrainingBatches(_Batches):
    """Of an epoch, by the seed and the epoch alone, so that nothing random is to be kept, and a
    batch is the same whoever makes it. `rows`: this process's part of each."""

    def __init__(self, split: Split, recipe: Recipe, epoch: int, rows: slice = slice(None)):
        self.split, self.recipe = split, recipe
        generator = torch.Generator().manual_seed((recipe.seed << 16) + epoch)
        batch, steps = recipe.batch, len(split) // recipe.batch
        order = torch.randperm(len(split), generator=generator)
        self.indices = [part[rows] for part in order[: batch * steps].split(batch)]
        self.draws = [draw(batch, recipe, generator).part(rows) for _ in range(steps)]

    def __len__(self) -> int:
        return len(self.indices)

    def _make(self, step: int) -> Batch:
        index = self.indices[step]
        images = augmented(self.split.images, index, self.draws[step], self.recipe)
        return images, self.split.labels[index]


class SplitBatches(_Batches):
    """A split in its order, as it is; of several processes the batches by turns."""

    def __init__(self, split: Split, size: int, process: int = 0, processes: int = 1):
        self.split, self.size = split, size
        self.starts = range(0, len(split), size)[process::processes]

    def __len__(self) -> int:
        return len(self.starts)

    def _make(self, step: int) -> Batch:
        rows = slice(self.starts[step], self.starts[step] + self.size)
        return self.split.images[rows], self.split.labels[rows]
