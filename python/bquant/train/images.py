"""What is done to the images of a step: cropped, coloured, moved and mirrored.

The random numbers of a step are drawn first (`draw`), so that the images are a function of them:
any process may make any part of a step, and gives the same bits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F

from ..datasets import ImageFiles, Images
from ..datasets.files import resized
from .recipe import Recipe

_TRIES = 10  # of a part of an image, before the whole
_AREA, _SIDES = (0.08, 1.0), (3 / 4, 4 / 3)
_LUMA = torch.tensor([0.299, 0.587, 0.114])  # of red, green, blue (ITU-R BT.601)
# The principal components of the colours of ImageNet's images, values of 0 to 1 (Krizhevsky,
# Sutskever and Hinton 2012): their deviations, and their directions as columns.
_DEVIATIONS = torch.tensor([0.2175, 0.0188, 0.0045])
_DIRECTIONS = torch.tensor(
    [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
)


class Draws(NamedTuple):
    """Random numbers of n images; None of what a recipe does not do."""

    mirrored: torch.Tensor | None  # bool (n,)
    shifts: torch.Tensor | None  # rows, columns: int64 (2, n), 0 to 2 shift
    seeds: torch.Tensor | None  # of what is done to each image by itself: int64 (n,)

    def part(self, rows: slice) -> Draws:
        """Those of some of the images."""
        return Draws(*(None if value is None else value[..., rows] for value in self))


def draw(n: int, recipe: Recipe, generator: torch.Generator) -> Draws:
    def integers(bound: int, *shape: int) -> torch.Tensor:
        return torch.randint(0, bound, (*shape, n), generator=generator)

    return Draws(
        torch.rand(n, generator=generator) < 0.5 if recipe.flip else None,
        integers(2 * recipe.shift + 1, 2) if recipe.shift else None,
        integers(2**62) if _is_by_itself(recipe) else None,
    )


def _is_by_itself(recipe: Recipe) -> bool:
    return bool(recipe.crop or recipe.jitter or recipe.lighting)


def augmented(images: Images, index: torch.Tensor, draws: Draws, recipe: Recipe) -> torch.Tensor:
    """The images of `index`, (n,), with what the recipe does to them: uint8 (n, C, H, W)."""
    if draws.seeds is None:
        batch = images[index]
    else:
        each = zip(index.tolist(), draws.seeds.tolist(), strict=True)
        batch = torch.stack([_one(images, i, recipe, seed) for i, seed in each])
    return moved(batch, recipe.shift, draws)


def moved(images: torch.Tensor, shift: int, draws: Draws) -> torch.Tensor:
    """Each image of (N, C, H, W) moved by -shift to shift pixels in both directions, zeros coming
    in, and mirrored, as it is drawn."""
    n, _, height, width = images.shape
    columns = torch.arange(width).repeat(n, 1)
    if draws.mirrored is not None:
        columns[draws.mirrored] = columns[draws.mirrored].flip(1)
    if draws.shifts is None:
        flip = draws.mirrored is not None
        return images.gather(3, columns[:, None, None, :].expand_as(images)) if flip else images
    dy, dx = draws.shifts[:, :, None]
    padded = F.pad(images, (shift,) * 4)
    rows = torch.arange(height) + dy
    columns = columns + dx
    each = torch.arange(n)[:, None, None]
    # The dimension that is not indexed comes last.
    return padded.permute(0, 2, 3, 1)[each, rows[:, :, None], columns[:, None, :]].permute(
        0, 3, 1, 2
    )


def _one(images: Images, i: int, recipe: Recipe, seed: int) -> torch.Tensor:
    """An image cropped and coloured, uint8 (C, H, W)."""
    generator = torch.Generator().manual_seed(seed)
    if recipe.crop:
        whole = images.whole(i) if isinstance(images, ImageFiles) else images[i]
        top, left, height, width = crop_box(*whole.shape[1:], generator)
        part = whole[:, top : top + height, left : left + width]
        image = resized(part, tuple(images.shape[2:]))
    else:
        image = images[i]
    if not recipe.jitter and not recipe.lighting:
        return image
    values = image.float()
    if recipe.jitter:
        values = coloured(values, recipe.jitter, generator)
    if recipe.lighting:
        noise = recipe.lighting * torch.randn(3, generator=generator) * _DEVIATIONS
        values = values + 255 * (_DIRECTIONS @ noise)[:, None, None]
    return values.clamp(0, 255).round().to(torch.uint8)


def crop_box(height: int, width: int, generator: torch.Generator) -> tuple[int, int, int, int]:
    """(top, left, height, width) of a random part of an image: the first of some tries that lies
    within; where none does, the centre, of the sides that are nearest to the whole's."""
    low, high = (math.log(side) for side in _SIDES)
    for _ in range(_TRIES):
        area, sides, top, left = torch.rand(4, generator=generator).tolist()
        area = height * width * (_AREA[0] + area * (_AREA[1] - _AREA[0]))
        ratio = math.exp(low + sides * (high - low))  # width to height
        w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < w <= width and 0 < h <= height:
            return int(top * (height - h + 1)), int(left * (width - w + 1)), h, w
    w = min(width, round(height * _SIDES[1]))
    h = min(height, round(width / _SIDES[0]))
    return (height - h) // 2, (width - w) // 2, h, w


def coloured(image: torch.Tensor, jitter: float, generator: torch.Generator) -> torch.Tensor:
    """Brightness, contrast and saturation of (C, H, W), values of 0 to 255, times random factors of
    1 - jitter to 1 + jitter, in a random order: the distance from black, from the mean grey, from
    each pixel's grey."""
    factors = (1 + jitter * (2 * torch.rand(3, generator=generator) - 1)).tolist()
    for which in torch.randperm(3, generator=generator).tolist():
        if which == 0:
            base = torch.zeros(())
        else:
            grey = torch.tensordot(_LUMA, image, 1) if len(image) == 3 else image.mean(0)
            base = grey.mean() if which == 1 else grey
        image = torch.lerp(base.expand_as(image), image, factors[which]).clamp(0, 255)
    return image
