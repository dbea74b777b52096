"""CIFAR-100 (Krizhevsky 2009), 60,000 images of 32 x 32 pixels of 100 classes, from its own files:
the binary version (`train.bin`) or the Python version (`train`, a pickle)."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .dataset import Dataset, Split

CLASSES = 100
_SHAPE = (3, 32, 32)
_PIXELS = 3 * 32 * 32
_ROW = 2 + _PIXELS  # of the binary version: the coarse label, the fine one, the pixels
# Of each channel, of the images to train on.
_MEAN, _STD = (0.5071, 0.4865, 0.4409), (0.2673, 0.2564, 0.2762)


def load(folder: Path) -> Dataset:
    if (folder / "train.bin").is_file():
        splits = [_binary(folder / name) for name in ("train.bin", "test.bin")]
        names = _read(folder / "fine_label_names.txt").decode(errors="replace").split()
    elif (folder / "train").is_file():
        splits = [_pickled(folder / name) for name in ("train", "test")]
        names = [name.decode() for name in _entry(folder / "meta", "fine_label_names")]
    else:
        raise FileNotFoundError(
            f"expected CIFAR-100's files (train.bin or train) in {folder}, but there is neither"
        )
    if len(names) != CLASSES:
        raise ValueError(f"{folder}: expected {CLASSES} names of classes, but got {len(names)}")
    mean, std = (tuple(255 * value for value in values) for values in (_MEAN, _STD))
    return Dataset("cifar-100", *splits, names, mean, std)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f"expected a file of CIFAR-100, but there is no '{path}'") from None


def _binary(path: Path) -> Split:
    data = _read(path)
    if not data or len(data) % _ROW:
        raise ValueError(f"{path}: expected rows of {_ROW} bytes, but got {len(data)} bytes")
    rows = np.frombuffer(data, np.uint8).reshape(-1, _ROW)
    return _split(path, rows[:, 2:], rows[:, 1])


def _pickled(path: Path) -> Split:
    pixels, labels = (_entry(path, key) for key in ("data", "fine_labels"))
    is_table = isinstance(pixels, np.ndarray) and pixels.shape[1:] == (_PIXELS,)
    if not is_table or pixels.dtype != np.uint8:
        got = f"{pixels.dtype} {pixels.shape}" if isinstance(pixels, np.ndarray) else type(pixels)
        raise ValueError(f"{path}: expected data uint8 (N, {_PIXELS}), but got {got}")
    return _split(path, pixels, np.asarray(labels))


def _split(path: Path, pixels: np.ndarray, labels: np.ndarray) -> Split:
    if labels.shape != pixels.shape[:1]:
        raise ValueError(
            f"{path}: expected a label for each of {len(pixels)} images, but got {labels.size}"
        )
    least, most = labels.min(), labels.max()
    if least < 0 or most >= CLASSES:
        raise ValueError(f"{path}: expected labels below {CLASSES}, but got {least} to {most}")
    images = torch.from_numpy(np.ascontiguousarray(pixels).reshape(-1, *_SHAPE).copy())
    return Split(images, torch.from_numpy(labels.astype(np.int64)))


def _entry(path: Path, key: str) -> Any:
    """Of the dictionary that the file holds."""
    file = io.BytesIO(_read(path))
    try:
        entries = _Arrays(file, encoding="bytes").load()
    except Exception as error:  # of pickle: whatever meets the fault
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ValueError(f"{path}: expected a file of CIFAR-100, but {reason}") from None
    if not isinstance(entries, dict) or (value := entries.get(key.encode())) is None:
        raise ValueError(f"{path}: expected a file of CIFAR-100, but it has no {key}")
    return value


class _Arrays(pickle.Unpickler):
    """Of arrays alone: any other pickle may run what it likes."""

    def find_class(self, module: str, name: str) -> Any:
        of_numpy = module.split(".")[0] == "numpy" and name in ("_reconstruct", "ndarray", "dtype")
        if of_numpy or (module, name) == ("_codecs", "encode"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"it has a {module}.{name}")
