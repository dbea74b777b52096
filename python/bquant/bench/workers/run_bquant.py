"""bquant's process: the library that make_case.py compiled, or a solver."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path

import bquant
import measuring
import numpy as np
from bquant import _bquant

_ALIGNMENT = 64  # of an arena


def run(job: dict, directory: Path) -> dict:
    library = directory / "net.so"
    network = bquant.load(library, threads=job["threads"])
    x = measuring.load(directory, "x")
    if job["in_place"]:
        return _measure_in_place(network, ctypes.CDLL(str(library)), x, job, directory)
    return measuring.measure(lambda: network(x), job, directory)


def _measure_in_place(network, library, x, job: dict, directory: Path) -> dict:
    """By calls of the function in C, which all read and write the same arrays."""
    (given,), (result,), symbol = network.inputs, network.outputs, network.signature["symbol"]
    y = np.empty([len(x) if n is None else n for n in result["shape"]], result["dtype"])
    get_arena_bytes = library[f"{symbol}_arena_bytes"]
    get_arena_bytes.restype = ctypes.c_size_t
    arena = np.empty(get_arena_bytes(network.threads) + _ALIGNMENT, np.uint8)
    arena = arena[-arena.ctypes.data % _ALIGNMENT :]
    pointers = [(ctypes.c_void_p * 1)(array.ctypes.data) for array in (x, y)]
    batch = [ctypes.c_int64(len(x))] * (given["shape"][0] is None)
    call = functools.partial(
        library[symbol],
        *pointers,
        arena.ctypes.data_as(ctypes.c_void_p),
        network.threads,
        *batch,
    )
    if code := call():
        raise RuntimeError(f"expected code 0 of a call, but got {code}")
    return measuring.measure(call, job, directory, lambda _: y)


def solve(job: dict, directory: Path) -> dict:
    x = measuring.load(directory, "x")
    scheme, threads = job["arguments"]["scheme"], job["threads"]

    def call():
        return _bquant.solve(x, scheme, (0,), threads=threads)[0]

    return measuring.measure(call, job, directory)


if __name__ == "__main__":
    measuring.main(run=run, solve=solve)
