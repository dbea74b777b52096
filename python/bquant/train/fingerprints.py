"""Which images a training sees."""

from __future__ import annotations

import hashlib

from ..datasets import ImageFiles, Split

_BATCH = 256  # images
_READ = 64  # files


def fingerprint(split: Split) -> str:
    """Another where images, their order or their labels are others. Images of files count by the
    names of files and classes, the sizes of all files and what is in some of them, so that a copy
    of the folder is the same."""
    digest = hashlib.sha256(repr(tuple(split.images.shape)).encode())
    digest.update(split.labels.long().contiguous().numpy(force=True).tobytes())
    if isinstance(split.images, ImageFiles):
        paths = split.images.paths
        for path in paths:
            digest.update(f"{path.parent.name}/{path.name} {path.stat().st_size}\n".encode())
        for path in paths[:: len(paths) // _READ + 1]:
            digest.update(path.read_bytes())
    else:
        for images in split.images.split(_BATCH):
            digest.update(str(images.dtype).encode())
            digest.update(images.contiguous().numpy(force=True).tobytes())
    return digest.hexdigest()[:16]
