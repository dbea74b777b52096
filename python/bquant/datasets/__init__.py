"""Images to train on, from packages and folders of this machine; nothing is downloaded.

data = bquant.datasets.load("fashion-mnist")   # Debian's package dataset-fashion-mnist
data = bquant.datasets.load("digits")          # scikit-learn's
data = bquant.datasets.load("path/to/images")  # a folder for each class
data = bquant.datasets.load("imagenet:path")   # train/ and val/, read when they are asked for
data = bquant.datasets.load("cifar-100:path")  # its own files
x = data.prepare(data.train.images[:8])        # float32, as networks take them
"""

from __future__ import annotations

from .._requirements import import_torch

import_torch("bquant.datasets")

from pathlib import Path

from . import cifar, digits, fashion, folder, imagenet
from .dataset import Dataset, Images, Split
from .files import ImageFiles

__all__ = ["NAMES", "Dataset", "ImageFiles", "Images", "Split", "folder_of", "load"]

_NAMED = {"digits": digits.load, "fashion-mnist": fashion.load}
NAMES = tuple(_NAMED)
_KINDS = ("imagenet", "cifar-100")  # of folders


def load(name: str | Path, size: int | None = None) -> Dataset:
    """The dataset "digits" or "fashion-mnist", or that of a folder.

    Args:
        name: a name; a folder with `train/CLASS/..` and `test/CLASS/..`, or with `CLASS/..`, of
            which each sixth image is held out; "imagenet:FOLDER", a folder with `train/CLASS/..`
            and `val/CLASS/..` of photographs of any size, which are read when they are asked for;
            "cifar-100:FOLDER", that of CIFAR-100's own files, binary or Python's.
        size: the side to which the images of a folder are resized; None: they have one size, and
            those of "imagenet:" 224.

    Raises:
        FileNotFoundError: the package or the folder is not there; what to install.
        ValueError: a file that is damaged, or of another size.
    """
    kind, path = _parsed(name)
    if size is not None and kind in (*_NAMED, "cifar-100"):
        raise ValueError(f"expected a size for a folder of images only, but got {size} for {kind}")
    if size is not None and size < 1:
        raise ValueError(f"expected a size of at least 1 pixel, but got {size}")
    if path is None:
        return _NAMED[kind]()
    if not path.is_dir():
        kinds = ", ".join([*_NAMED, *(f"{kind}:FOLDER" for kind in _KINDS)])
        raise FileNotFoundError(
            f"expected {kinds} or a folder of images, but there is no folder '{path}'"
        )
    if kind == "cifar-100":
        return cifar.load(path)
    return (imagenet if kind == "imagenet" else folder).load(path, size)


def folder_of(name: str | Path) -> Path | None:
    """That of a dataset which `load` would read; None: it comes with a package."""
    return _parsed(name)[1]


def _parsed(name: str | Path) -> tuple[str, Path | None]:
    """A kind and a folder."""
    if str(name) in _NAMED:
        return str(name), None
    kind, colon, path = str(name).partition(":")
    return (kind, Path(path)) if colon and kind in _KINDS else ("", Path(name))
