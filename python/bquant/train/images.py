"""Batches of images, moved and mirrored."""

from __future__ import annotations

import torch
import torch.nn.functional as F


def moved(images: torch.Tensor, shift: int, flip: bool, generator: torch.Generator) -> torch.Tensor:
    """Each image of (N, C, H, W) moved by -shift to shift pixels in both directions, zeros coming
    in, and mirrored half of the time."""
    n, _, height, width = images.shape
    columns = torch.arange(width).repeat(n, 1)
    if flip:
        mirrored = torch.rand(n, generator=generator) < 0.5
        columns[mirrored] = columns[mirrored].flip(1)
    if not shift:
        return images.gather(3, columns[:, None, None, :].expand_as(images)) if flip else images
    dy, dx = torch.randint(0, 2 * shift + 1, (2, n, 1), generator=generator)
    padded = F.pad(images, (shift,) * 4)
    rows = torch.arange(height) + dy
    columns = columns + dx
    each = torch.arange(n)[:, None, None]
    # The dimension that is not indexed comes last.
    return padded.permute(0, 2, 3, 1)[each, rows[:, :, None], columns[:, None, :]].permute(
        0, 3, 1, 2
    )
