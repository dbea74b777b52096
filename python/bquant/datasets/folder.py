"""A folder of images, one folder for each class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from .._requirements import import_pillow
from .dataset import Dataset, Split

_SUFFIXES = {".png", ".jpg", ".jpeg", ".bmp", ".webp", ".gif", ".tif", ".tiff", ".pgm", ".ppm"}
_GRAY = {"1", "L", "LA", "I;16", "I;16L", "I;16B"}
_HELD_OUT = 6  # of what is not split, each sixth image


def load(folder: Path, size: int | None) -> Dataset:
    parts = [folder / "train", folder / "test"]
    if all(part.is_dir() for part in parts):
        classes = classes_of_both(folder, *parts)
        files = [files_of(part, classes) for part in parts]
    else:
        classes = _classes(folder)
        all_files = files_of(folder, classes)
        files = [[], []]
        for i, each in enumerate(all_files):
            files[i % _HELD_OUT == _HELD_OUT - 1].append(each)
    if len(classes) < 2 or not all(files):
        raise ValueError(
            f"{folder}: expected a folder of images for each of several classes, but got classes "
            f"{classes} with {len(files[0])} images to train on and {len(files[1])} held out"
        )
    gray = all(_mode(path) in _GRAY for part in files for path, _ in part)
    train, test = (_split(part, size, gray) for part in files)
    if train.images.shape[1:] != test.images.shape[1:]:
        raise ValueError(f"{folder}: expected images of one size, but those of test have another")
    return Dataset(folder.name, train, test, classes)


def _visible(folder: Path) -> list[Path]:
    """Names that begin with a point are no images, but what systems keep of them."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _classes(folder: Path) -> list[str]:
    return [path.name for path in _visible(folder) if path.is_dir()]


def classes_of_both(folder: Path, train: Path, test: Path) -> list[str]:
    """The names of the folders in `train`, which are those in `test`."""
    classes, others = _classes(train), _classes(test)
    if classes != others:
        differing = ", ".join(sorted(set(classes) ^ set(others)))
        raise ValueError(
            f"{folder}: expected the same classes in {train.name} and {test.name}, but only one "
            f"has {differing}"
        )
    if len(classes) < 2:
        raise ValueError(f"{folder}: expected several classes in {train.name}, but got {classes}")
    return classes


def files_of(folder: Path, classes: list[str]) -> list[tuple[Path, int]]:
    """The images of each class and its number."""
    files = []
    for label, name in enumerate(classes):
        own = [path for path in _visible(folder / name) if path.suffix.lower() in _SUFFIXES]
        if not own:
            raise ValueError(
                f"{folder}: expected a folder of images for each class, but '{name}' has none"
            )
        files += [(path, label) for path in own]
    return files


def _open(path: Path):
    pillow = import_pillow("a folder of images")
    try:
        return pillow.open(path)
    except (OSError, pillow.DecompressionBombError) as error:
        raise ValueError(f"{path}: expected an image, but {error}") from None


def _mode(path: Path) -> str:
    with _open(path) as image:
        return image.mode


def read(path: Path, gray: bool):
    """The image, upright, of 8 bits a channel."""
    pillow = import_pillow("a folder of images")
    from PIL import ImageOps

    with _open(path) as image:
        try:
            image.load()
        except (OSError, SyntaxError, ValueError) as error:
            raise ValueError(f"{path}: expected an image, but {error}") from None
        if image.mode.startswith("I;16"):  # whose conversion would cut all that is over 255
            image = pillow.fromarray((np.asarray(image) >> 8).astype(np.uint8))
        elif image.mode in ("I", "F"):
            raise ValueError(
                f"{path}: expected an image of 8 or 16 bits a channel, but got one of 32 (mode "
                f"{image.mode})"
            )
        return ImageOps.exif_transpose(image).convert("L" if gray else "RGB")


def _split(files, size: int | None, gray: bool) -> Split:
    arrays, first = [], None
    for path, _ in files:
        image = read(path, gray)
        if size is not None:
            image = image.resize((size, size))
        first = first or image.size
        if image.size != first:
            raise ValueError(
                f"{path}: expected {first[0]} x {first[1]} pixels as the first image has, but got "
                f"{image.size[0]} x {image.size[1]} (give a size to resize all)"
            )
        array = np.asarray(image, np.uint8)
        arrays.append(array[None] if gray else array.transpose(2, 0, 1))
    # Of transposed arrays, a stack would be a transposed one.
    images = torch.from_numpy(np.ascontiguousarray(np.stack(arrays)))
    return Split(images, torch.tensor([label for _, label in files]))
