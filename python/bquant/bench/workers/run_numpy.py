"""NumPy's process, the yardstick of the solvers: sort and cumsum."""

from __future__ import annotations

from pathlib import Path

import measuring
import numpy


def solve(job: dict, directory: Path) -> dict:
    x = measuring.load(directory, "x")
    scheme = job["arguments"]["scheme"]
    return measuring.measure(lambda: measuring.solve_by_sort(numpy, x, scheme), job, directory)


if __name__ == "__main__":
    measuring.main(solve=solve)
