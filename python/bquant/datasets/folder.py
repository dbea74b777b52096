"""A folder of images, one folder for each class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from .dataset import Dataset, Split

_SUFFIXES = {".png", ".jpg", ".jpeg", ".bmp", ".webp", ".gif", ".tif", ".tiff", ".pgm", ".ppm"}
_HELD_OUT = 6  # of what is not split, each sixth image


def load(folder: Path, size: int | None) -> Dataset:
    parts = [folder / "train", folder / "test"]
    if all(part.is_dir() for part in parts):
        classes = _classes(parts[0])
        if _classes(parts[1]) != classes:
            raise ValueError(f"{folder}: expected the same classes in train and test")
        files = [_files(part, classes) for part in parts]
    else:
        classes = _classes(folder)
        all_files = _files(folder, classes)
        files = [[], []]
        for i, each in enumerate(all_files):
            files[i % _HELD_OUT == _HELD_OUT - 1].append(each)
    if len(classes) < 2 or not all(files):
        raise ValueError(
            f"{folder}: expected a folder of images for each of several classes, but got classes "
            f"{classes} with {len(files[0])} images to train on and {len(files[1])} held out"
        )
    gray = all(_is_gray(path) for path, _ in files[0][:8])
    train, test = (_split(part, size, gray) for part in files)
    if train.images.shape[1:] != test.images.shape[1:]:
        raise ValueError(f"{folder}: expected images of one size, but those of test have another")
    return Dataset(folder.name, train, test, classes)


def _classes(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


def _files(folder: Path, classes: list[str]) -> list[tuple[Path, int]]:
    return [
        (path, label)
        for label, name in enumerate(classes)
        for path in sorted((folder / name).iterdir())
        if path.suffix.lower() in _SUFFIXES
    ]


def _open(path: Path):
    from PIL import Image, UnidentifiedImageError

    try:
        image = Image.open(path)
        image.load()
        return image
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise ValueError(f"{path}: expected an image, but {error}") from None


def _is_gray(path: Path) -> bool:
    return _open(path).mode in ("1", "L", "LA", "I", "I;16")


def _split(files, size: int | None, gray: bool) -> Split:
    arrays, first = [], None
    for path, _ in files:
        image = _open(path).convert("L" if gray else "RGB")
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
    images = torch.from_numpy(np.stack(arrays))
    return Split(images, torch.tensor([label for _, label in files]))
