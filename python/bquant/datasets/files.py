"""Images that stay in their files until they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from .folder import read


class ImageFiles:
    """Images of files as a tensor has them, uint8 (N, 3, size, size): the shorter side resized to
    8/7 of `size` (256 for 224), bilinear, then the centre cut out. `whole` is the image as its file
    has it.

        images[3], images[:2], images[torch.tensor([5, 1])], images.split(256)

    Raises (when an image is read):
        ValueError: a file that is no image; the message names it.
    """

    def __init__(self, paths: Sequence[Path], size: int):
        self.paths, self.size = paths, size

    @property
    def shape(self) -> torch.Size:
        return torch.Size((len(self.paths), 3, self.size, self.size))

    def __len__(self) -> int:
        return len(self.paths)

    def whole(self, index: int) -> torch.Tensor:
        """uint8 (3, H, W), of the file's own size."""
        pixels = np.array(read(self.paths[index], gray=False), np.uint8)
        return torch.from_numpy(pixels).permute(2, 0, 1)

    def __getitem__(self, index: int | slice | torch.Tensor) -> torch.Tensor:
        if isinstance(index, int):
            return self._centre(self.whole(index))
        chosen = torch.arange(len(self))[index].tolist()
        if not chosen:
            return torch.empty((0, *self.shape[1:]), dtype=torch.uint8)
        return torch.stack([self._centre(self.whole(i)) for i in chosen])

    def split(self, size: int) -> Iterator[torch.Tensor]:
        """Batches of `size` images, one after the other."""
        for start in range(0, len(self), size):
            yield self[start : start + size]

    def _centre(self, image: torch.Tensor) -> torch.Tensor:
        _, *sides = image.shape
        shorter = round(self.size * 8 / 7)
        height, width = (max(side * shorter // min(sides), self.size) for side in sides)
        image = resized(image, (height, width))
        top, left = (height - self.size) // 2, (width - self.size) // 2
        return image[:, top : top + self.size, left : left + self.size]


def resized(image: torch.Tensor, size: tuple[int, int]) -> torch.Tensor:
    """uint8 (C, H, W) to (C, *size): bilinear, with antialiasing where it becomes smaller."""
    if image.shape[1:] == size:
        return image
    return F.interpolate(image[None], size, mode="bilinear", antialias=True)[0]
