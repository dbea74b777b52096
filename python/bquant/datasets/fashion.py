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
    if not FOLDER.is_dir():
        raise FileNotFoundError(
            f"expected Fashion-MNIST in {FOLDER}, but there is no such folder: "
            "apt install dataset-fashion-mnist"
        )
    return Dataset("fashion-mnist", _split("train"), _split("t10k"), CLASSES)


def _split(name: str) -> Split:
    images = idx.read(FOLDER / f"{name}-images-idx3-ubyte.gz", rank=3)
    labels = idx.read(FOLDER / f"{name}-labels-idx1-ubyte.gz", rank=1)
    if len(images) != len(labels):
        raise ValueError(
            f"{FOLDER}: expected a label for each image of {name}, but got {len(images)} images "
            f"and {len(labels)} labels"
        )
    return Split(torch.from_numpy(images)[:, None], torch.from_numpy(labels).long())
