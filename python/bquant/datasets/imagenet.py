"""A folder of ImageNet (ILSVRC 2012), or of other photographs in the same order: `train/CLASS/..`
and `val/CLASS/..`. The images are read when they are asked for."""

from __future__ import annotations

from pathlib import Path

import torch

from .dataset import Dataset, Split
from .files import ImageFiles
from .folder import classes_of_both, files_of

SIZE = 224  # pixels a side
# Of each channel, of ImageNet's images to train on.
_MEAN, _STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def load(folder: Path, size: int | None = None) -> Dataset:
    """`size`: of the images, pixels a side; None: 224."""
    parts = [folder / "train", folder / "val"]
    for part in parts:
        if not part.is_dir():
            raise FileNotFoundError(
                f"expected an ImageNet folder with train and val, but there is no folder '{part}'"
            )
    classes = classes_of_both(folder, *parts)
    splits = []
    for part in parts:
        files = files_of(part, classes)
        paths, labels = zip(*files, strict=True)
        splits.append(Split(ImageFiles(paths, size or SIZE), torch.tensor(labels)))
    mean, std = (tuple(255 * value for value in values) for values in (_MEAN, _STD))
    return Dataset(f"imagenet-{folder.name}", *splits, classes, mean, std)
