"""What every engine's process does: read its job, keep to its cores, compare, time.

A worker is a script and not a module of bquant: the peers' environment has no bquant. A job is a
JSON file; what the action returns goes to the file `result` as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

WARM_UP_SECONDS = 0.2
LEAST_CALLS, MOST_CALLS = 5, 1000


def main(**actions) -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    if job.get("pinned"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: job["threads"]])
    # A worker's last line of standard error is the reason that is shown.
    try:
        result = actions[job["action"]](job, Path(job["directory"]))
    except Exception as error:
        sys.exit(first_line(error))
    Path(job["result"]).write_text(json.dumps(result))


def first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"


def solve_by_sort(numpy, x, scheme: str):
    """The best scalars of each row, (k, rows), by the definition: of all splits of the sorted
    magnitudes into small and large ones, that which leaves the least error."""
    count = x.shape[1]
    sums = numpy.cumsum(numpy.sort(numpy.abs(x), axis=1), axis=1)
    small, total = sums[:, :-1], sums[:, -1:]
    smaller = numpy.arange(1, count, dtype=x.dtype)
    gained = (total - small) ** 2 / (count - smaller)
    if scheme == "ls-2":
        gained += small**2 / smaller
    best = numpy.argmax(gained, axis=1)
    small = numpy.take_along_axis(small, best[:, None], axis=1)[:, 0]
    low, high = small / (best + 1), (total[:, 0] - small) / (count - 1 - best)
    if scheme == "ls-2":
        return numpy.stack([(high + low) / 2, (high - low) / 2])
    return high[None] / 2


def encode_signs(weight, bits: int):
    """Weights of +v and -v, a v for each row, as codes around the middle one: the codes packed, the
    lowest bits first; the scales (rows, 1); the middle code."""
    import numpy

    middle, per_byte = 1 << (bits - 1), 8 // bits
    codes = numpy.where(weight >= 0, middle + 1, middle - 1).astype(numpy.uint8)
    packed = numpy.zeros(weight.size // per_byte, numpy.uint8)
    for i in range(per_byte):
        packed |= codes.reshape(-1)[i::per_byte] << numpy.uint8(bits * i)
    return packed, numpy.abs(weight[:, :1]), middle


def load(directory: Path, name: str):
    import numpy

    return numpy.load(directory / f"{name}.npy")


def draw(shape, element, seed: int):
    """An input: codes of bytes from their whole range, of all else what normal values become."""
    import numpy

    generator, element = numpy.random.default_rng(seed), numpy.dtype(element)
    if element in (numpy.int8, numpy.uint8):
        info = numpy.iinfo(element)
        return generator.integers(info.min, info.max, shape, element, endpoint=True)
    return generator.standard_normal(shape).astype(element)


def measure(call, job: dict, directory: Path, read=None) -> dict:
    """The relative error of what `call` returns, or leaves for `read`, and the seconds of its calls
    if it is tolerated. A tolerance of None: the output was compared elsewhere.

    Of one thread the processor's time counts where it is the lesser: other work on the machine has
    a share of long calls and none of short ones, which would make any ratio of the two wrong.
    """
    import numpy

    output = call()
    output = numpy.asarray(read() if read else output, dtype=numpy.float64)
    result = {"error": None, "seconds": []}
    if job["tolerance"] is not None:
        expected = load(directory, "expected").astype(numpy.float64)
        if output.shape != expected.shape:
            raise ValueError(f"expected an output of {expected.shape}, but got {output.shape}")
        difference = numpy.linalg.norm(output - expected) / numpy.linalg.norm(expected)
        # NaN compares with nothing, and JSON has no word for it.
        result["error"] = float(difference) if numpy.isfinite(difference) else 1e9
        if not result["error"] <= job["tolerance"]:
            return result
    start = time.perf_counter()
    while time.perf_counter() - start < WARM_UP_SECONDS:
        call()
    seconds = result["seconds"]
    end = time.perf_counter() + job["seconds"]
    while len(seconds) < LEAST_CALLS or (len(seconds) < MOST_CALLS and time.perf_counter() < end):
        processor, start = time.process_time(), time.perf_counter()
        call()
        clock, processor = time.perf_counter() - start, time.process_time() - processor
        seconds.append(min(clock, processor) if job["threads"] == 1 else clock)
    return result
