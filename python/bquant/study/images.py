"""Whether the images of a folder are still those that the results are of."""

from __future__ import annotations

import hashlib

from ..datasets import Dataset, ImageFiles, folder_of
from ..train.files import write_whole
from .setting import Setting


def check(setting: Setting, data: Dataset) -> None:
    """Keeps a digest of a folder's images beside the results. ValueError where another is there."""
    if folder_of(setting.data) is None:
        return
    path, digest = setting.output / f"{setting.images}.sha256", f"{_digest(data)}\n"
    if not path.exists():
        write_whole(path, lambda part: part.write_text(digest, encoding="utf-8"))
    elif path.read_bytes() != digest.encode():
        raise ValueError(
            f"the images of '{setting.data}' have changed since the results in '{setting.output}': "
            "remove that folder, or give another --output"
        )


def _digest(data: Dataset) -> str:
    """Of the pixels, or, where these are read later, of the files' names and sizes."""
    digest = hashlib.sha256(repr(data.classes).encode())
    for split in (data.train, data.test):
        digest.update(split.labels.numpy())
        if isinstance(split.images, ImageFiles):
            for path in split.images.paths:
                digest.update(f"{path.name!r} {path.stat().st_size}\n".encode())
        else:
            pixels = split.images[:].contiguous()
            digest.update(repr(pixels.shape).encode())
            digest.update(pixels.numpy())
    return digest.hexdigest()
