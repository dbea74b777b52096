"""The commands `bquant-compile`, `bquant-opt` and `bquant-run` of an installed package: the mains
that libBQuantC exports, so that LLVM is there once."""

from __future__ import annotations

import os
import signal
import sys

from . import _bquant


def _run(name: str) -> int:
    # The tools end by signals as other programs do, and remove what is half-written.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return _bquant.run_tool(name, [name, *map(os.fsdecode, sys.argv[1:])])


def compile() -> int:  # noqa: A001
    return _run("bquant-compile")


def opt() -> int:
    return _run("bquant-opt")


def run() -> int:
    return _run("bquant-run")
