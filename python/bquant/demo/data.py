"""scikit-learn's digits: 1,797 real images of 8 x 8 pixels, part of the package, no download."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


@dataclass
class Split:
    images: torch.Tensor  # n x 1 x 8 x 8, about in [-1, 1]
    labels: torch.Tensor


def load(seed: int = 0) -> tuple[Split, Split]:
    """For training, and held out: a quarter of each digit."""
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32)[:, None] / 8 - 1
    labels = torch.tensor(digits.target)
    train, test = train_test_split(
        torch.arange(len(labels)), test_size=0.25, random_state=seed, stratify=labels
    )
    return Split(images[train], labels[train]), Split(images[test], labels[test])
