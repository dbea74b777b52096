"""Files that are whole or not there."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import torch


def check_folder(folder: Path) -> None:
    """Makes a folder, and looks whether files can be written there, before hours go into them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise OSError(errno.EACCES, "it may not be written to")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OSError(f"{folder}: expected a folder to write to, but {reason}") from None


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """No other process is within `with` of the same folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OSError(
                f"{folder}: expected one run at a time, but another is going on"
            ) from None
        yield
    finally:
        os.close(descriptor)


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Writes a file beside `path`, then puts it in its place: never a part of it is there. Of a
    link, it is the file that the link leads to."""
    place = Path(os.path.realpath(path))
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write(part)
        os.replace(part, place)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OSError(f"{path}: expected to write a file, but {reason}") from None
    finally:
        with contextlib.suppress(OSError):  # its folder is a file
            part.unlink()


def save_whole(path: Path, state) -> None:
    """`torch.save`, in memory first: its own files do not say why they could not be written."""
    buffer = io.BytesIO()
    torch.save(state, buffer)
    write_whole(path, lambda part: part.write_bytes(buffer.getbuffer()))
