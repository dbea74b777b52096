"""Times the exact solvers beside NumPy's sort and cumsum, on one core.

    python tools/dev/bench_solvers.py

Times are of the processor, so that other work on the machine counts little; the two
are taken in turn. The first case is that of 512 filters of 3 x 3 x 512, the second
that of a feature map of 64 x 56 x 56.
"""

import os
import time

import numpy as np
from bquant import _bquant

REPETITIONS = 21


def seconds(function) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


def main():
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    random = np.random.default_rng(0)
    for shape in ((512, 4608), (1, 200704)):
        x = random.standard_normal(shape).astype(np.float32)

        def sort(x=x):
            np.cumsum(np.sort(np.abs(x), axis=1), axis=1)

        for scheme in ("ls-2", "ls-T"):

            def solve(x=x, scheme=scheme):
                _bquant.solve(x, scheme, (0,), threads=1)

            pairs = [(seconds(solve), seconds(sort)) for _ in range(REPETITIONS)]
            ours, numpy = np.median(pairs, axis=0) * 1e3
            ratio = np.median([a / b for a, b in pairs])
            print(
                f"{scheme} of {shape[0]} x {shape[1]}: {ours:.2f} ms, "
                f"sort and cumsum {numpy:.2f} ms, ratio {ratio:.2f}"
            )


if __name__ == "__main__":
    main()
