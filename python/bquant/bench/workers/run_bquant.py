"""bquant's process: the library that make_case.py compiled, or a solver."""

from __future__ import annotations

from pathlib import Path

import bquant
import measuring
from bquant import _bquant


def run(job: dict, directory: Path) -> dict:
    network = bquant.load(directory / "net.so", threads=job["threads"])
    x = measuring.load(directory, "x")
    return measuring.measure(lambda: network(x), job, directory)


def solve(job: dict, directory: Path) -> dict:
    x = measuring.load(directory, "x")
    scheme, threads = job["arguments"]["scheme"], job["threads"]

    def call():
        return _bquant.solve(x, scheme, (0,), threads=threads)[0]

    return measuring.measure(call, job, directory)


if __name__ == "__main__":
    measuring.main(run=run, solve=solve)
