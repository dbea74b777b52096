"""How far a training is, on standard error."""

from __future__ import annotations

import multiprocessing
import sys

from .._requirements import import_tqdm


class Bar:
    """Within `with`: counts steps.

    Args:
        total, done: steps of all epochs, and those that a checkpoint has.
        verbose: whether to show it; None: on a terminal where tqdm is installed, but not in a
            worker process, whose parent has one of its own.
    """

    def __init__(self, total: int, done: int, verbose: bool | None):
        self._bar = None
        if sys.stderr is not None and (verbose or (verbose is None and _has_terminal())):
            try:
                tqdm = import_tqdm("a bar").tqdm
            except ImportError:
                if verbose:
                    raise
                return
            self._bar = tqdm(total=total, initial=done, unit="step")

    def step(self) -> None:
        if self._bar is not None:
            self._bar.update()

    def epoch(self, row: dict) -> None:
        """`row`: loss and accuracy."""
        if self._bar is not None:
            self._bar.set_postfix(loss=f"{row['loss']:.3f}", accuracy=f"{row['accuracy']:.2%}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._bar is not None:
            self._bar.close()


def _has_terminal() -> bool:
    return sys.stderr.isatty() and multiprocessing.parent_process() is None
