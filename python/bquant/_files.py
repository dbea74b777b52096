"""Text files that are whole or not there."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def written(path: str | Path) -> Iterator[io.StringIO]:
    """A text that is in the file, as a whole, once what is done meanwhile has succeeded. A device
    is written to as it is, `-` is standard output."""
    text = io.StringIO()
    if str(path) == "-":
        yield text
        sys.stdout.write(text.getvalue())
        return
    device = os.path.exists(path) and not os.path.isfile(path)
    target = os.path.realpath(path)
    part = path if device else f"{target}.part"
    try:
        with _naming(path):
            open(part, "w").close()
        yield text
        with _naming(path):
            with open(part, "w", encoding="utf-8") as file:
                file.write(text.getvalue())
            if not device:
                os.replace(part, target)
    finally:
        if not device:
            with contextlib.suppress(OSError):
                os.remove(part)


@contextlib.contextmanager
def _naming(path: str | Path) -> Iterator[None]:
    """Errors of the system say which file was to be written."""
    try:
        yield
    except OSError as error:
        raise OSError(f"cannot write '{path}': {error.strerror}") from None
