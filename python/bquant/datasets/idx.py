"""Gzipped IDX files, the format of MNIST: two zero bytes, the element type, the rank, the sizes as
big-endian integers of 32 bits, the values."""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from pathlib import Path

import numpy as np

_UINT8 = 0x08
_LARGEST = 1 << 30


def read(path: Path, rank: int) -> np.ndarray:
    """uint8 of the given rank. ValueError, with the path, for anything else."""
    try:
        with gzip.open(path) as file:
            head = file.read(4 + 4 * rank)
            if len(head) < 4 + 4 * rank or head[:2] != b"\0\0":
                raise ValueError(f"{path}: expected an IDX file, but it does not begin as one")
            if (head[2], head[3]) != (_UINT8, rank):
                raise ValueError(
                    f"{path}: expected bytes (type {_UINT8}) of rank {rank}, but got type "
                    f"{head[2]} of rank {head[3]}"
                )
            shape = struct.unpack(f">{rank}I", head[4:])
            size = math.prod(shape)
            if not 0 < size <= _LARGEST:
                raise ValueError(f"{path}: expected up to 1 GB of images, but got sizes {shape}")
            data = file.read(size + 1)
    except (OSError, EOFError, zlib.error) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise ValueError(f"{path}: expected a whole gzip file, but {error}") from None
    if len(data) != size:
        which = "more" if len(data) > size else f"{len(data)}"
        raise ValueError(f"{path}: expected {size} values of sizes {shape}, but got {which}")
    return np.frombuffer(data, np.uint8).reshape(shape).copy()
