"""scikit-learn's digits as floats, about in [-1, 1]."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from .. import datasets


@dataclass
class Split:
    images: torch.Tensor  # n x 1 x 8 x 8
    labels: torch.Tensor


def load() -> tuple[Split, Split]:
    """For training, and held out: a quarter of each digit."""
    data = datasets.load("digits")
    train, test = (
        Split(split.images.float() / 8 - 1, split.labels) for split in (data.train, data.test)
    )
    return train, test
