"""Images to train on, from packages and folders of this machine; nothing is downloaded.

data = bquant.datasets.load("fashion-mnist")   # Debian's package dataset-fashion-mnist
data = bquant.datasets.load("digits")          # scikit-learn's
data = bquant.datasets.load("path/to/images")  # a folder for each class
x = data.prepare(data.train.images[:8])        # float32, as networks take them
"""

from __future__ import annotations

from .._requirements import import_torch

import_torch("bquant.datasets")

from pathlib import Path

from . import digits, fashion, folder
from .dataset import Dataset, Split

__all__ = ["NAMES", "Dataset", "Split", "load"]

_NAMED = {"digits": digits.load, "fashion-mnist": fashion.load}
NAMES = tuple(_NAMED)


def load(name: str | Path, size: int | None = None) -> Dataset:
    """The dataset "digits" or "fashion-mnist", or that of a folder of images.

    Args:
        name: a name, or a folder with `train/CLASS/..` and `test/CLASS/..`, or with `CLASS/..`, of
            which each sixth image is held out.
        size: the side to which the images of a folder are resized; None: they have one size.

    Raises:
        FileNotFoundError: the package or the folder is not there; what to install.
        ValueError: a file that is damaged, or of another size.
    """
    if str(name) in _NAMED:
        if size is not None:
            raise ValueError(
                f"expected a size for a folder of images only, but got {size} for {name}"
            )
        return _NAMED[str(name)]()
    path = Path(name)
    if path.is_dir():
        return folder.load(path, size)
    raise FileNotFoundError(
        f"expected {', '.join(_NAMED)} or a folder of images, but there is no folder '{path}'"
    )
