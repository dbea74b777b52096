"""scikit-learn's digits: 1,797 real images of 8 x 8 pixels, part of the package, no download."""

from __future__ import annotations

import torch

from .dataset import Dataset, Split


def load() -> Dataset:
    try:
        from sklearn.datasets import load_digits
        from sklearn.model_selection import train_test_split
    except ImportError as error:
        raise ImportError("the digits come with scikit-learn: pip install scikit-learn") from error
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.uint8)[:, None]  # 0 to 16
    labels = torch.tensor(digits.target)
    train, test = train_test_split(
        torch.arange(len(labels)), test_size=0.25, random_state=0, stratify=labels
    )
    return Dataset(
        "digits",
        Split(images[train], labels[train]),
        Split(images[test], labels[test]),
        [str(digit) for digit in range(10)],
    )
