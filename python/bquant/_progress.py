"""The line on standard error that says how far a compilation is."""

from __future__ import annotations

import os
import sys


class ProgressLine:
    """Within `with`, called with a stage, and how many functions are written of how many, shows it.

    On a terminal it is one line, rewritten in place and erased in the end. Elsewhere each stage has
    a line. `verbose`: None for nothing but on a terminal, True or False for always or never.
    """

    def __init__(self, verbose: bool | None):
        self._stream = sys.stderr
        terminal = self._stream is not None and self._stream.isatty()
        # A terminal that cannot erase gets lines as a file does.
        self._rewrites = terminal and os.environ.get("TERM", "dumb") != "dumb"
        self._shows = self._stream is not None and (self._rewrites if verbose is None else verbose)

    def __enter__(self):
        return self if self._shows else None

    def __exit__(self, *_):
        if self._shows and self._rewrites:
            self._write("\r\x1b[K")

    def __call__(self, stage: str, done: int = 0, all: int = 0):  # noqa: A002
        text = f"bquant: {stage}"
        if done:
            text += f", function {done} of {all}"
        if self._rewrites:
            import shutil  # with it come all archives that Python knows

            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r{text[:width]}\x1b[K")
        elif not done:
            self._write(text + "\n")

    def _write(self, text: str):
        self._stream.write(text)
        self._stream.flush()
