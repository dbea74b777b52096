"""Which images a training sees, and which network teaches it."""

from __future__ import annotations

import hashlib

import torch
from torch import nn

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


def fingerprint_network(network: nn.Module) -> str:
    """Another where a parameter or a buffer is another."""
    digest = hashlib.sha256()
    for name, value in network.state_dict().items():
        digest.update(name.encode())
        digest.update(value.cpu().reshape(-1).view(torch.uint8).numpy())  # bf16, too
    return digest.hexdigest()[:16]
