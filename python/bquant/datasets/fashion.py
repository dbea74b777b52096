"""Fashion-MNIST (Xiao, Rasul, Vollgraf, 2017): 70,000 real images of 28 x 28 pixels, from Debian's
package."""

from __future__ import annotations

from pathlib import Path

import torch

from . import idx
from .dataset import Dataset, Split

FOLDER = Path("/usr/share/datasets/fashion-mnist")
CLASSES = "T-shirt,trouser,pullover,dress,coat,sandal,shirt,sneaker,bag,ankle boot".split(",")


def load() -> Dataset:
    try:
        return Dataset("fashion-mnist", _split("train"), _split("t10k"), CLASSES)
    except FileNotFoundError as error:
        what = Path(error.filename).name if FOLDER.is_dir() else "such folder"
        raise FileNotFoundError(
            f"expected Fashion-MNIST in {FOLDER}, but there is no {what}: "
            "apt install dataset-fashion-mnist"
        ) from None


def _split(name: str) -> Split:
    images = idx.read(FOLDER / f"{name}-images-idx3-ubyte.gz", rank=3)
    path = FOLDER / f"{name}-labels-idx1-ubyte.gz"
    labels = idx.read(path, rank=1)
    if len(images) != len(labels):
        raise ValueError(
            f"{FOLDER}: expected a label for each image of {name}, but got {len(images)} images "
            f"and {len(labels)} labels"
        )
    if labels.max() >= len(CLASSES):
        raise ValueError(f"{path}: expected labels below {len(CLASSES)}, but got {labels.max()}")
    return Split(torch.from_numpy(images)[:, None], torch.from_numpy(labels).long())
