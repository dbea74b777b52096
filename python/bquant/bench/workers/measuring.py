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
LEAST_SAMPLES, MOST_SAMPLES = 5, 1000


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
    """An input: codes of 8 and 16 bits from their whole range, of other integers 0 and 1, since
    places in a table have to be small, of all else what normal values become."""
    import numpy

    generator, element = numpy.random.default_rng(seed), numpy.dtype(element)
    if element.kind in "iu" and element.itemsize <= 2:
        info = numpy.iinfo(element)
        return generator.integers(info.min, info.max, shape, element, endpoint=True)
    if element.kind in "iub":
        return generator.integers(0, 2, shape).astype(element)
    return generator.standard_normal(shape).astype(element)


def check_counts(inputs: int, outputs: int) -> None:
    if inputs != 1 or outputs != 1:
        raise ValueError(f"expected one input and one output, but got {inputs} and {outputs}")


def differing(output, expected):
    """Where they are not equal; NaN equals NaN."""
    return (output != expected) & ((output == output) | (expected == expected))


def relative_error(output, expected) -> float:
    """||output - expected|| / ||expected||; without the norm where that is 0."""
    import numpy

    different = differing(output, expected)
    error = numpy.linalg.norm(output[different] - expected[different])
    error /= numpy.linalg.norm(expected[numpy.isfinite(expected)]) or 1
    # NaN compares with nothing, and JSON has no word for it.
    return float(error) if numpy.isfinite(error) else 1e9


def measure(call, job: dict, directory: Path, read=lambda output: output) -> dict:
    """The relative error of what `read` finds in what `call` returns, and if it is tolerated the
    seconds of calls and how many there were. A tolerance of None: the output was compared
    elsewhere. Fast calls are timed several at a time, and share their time.

    Of one thread the processor's time counts where it is the lesser: other work on the machine has
    a share of long calls and none of short ones, which would make any ratio of the two wrong.
    """
    import numpy

    output = numpy.asarray(read(call()), dtype=numpy.float64)
    result = {"error": None, "seconds": [], "calls": 0}
    if job["tolerance"] is not None:
        expected = load(directory, "expected").astype(numpy.float64)
        if output.shape != expected.shape:
            raise ValueError(f"expected an output of {expected.shape}, but got {output.shape}")
        result["error"] = relative_error(output, expected)
        if result["error"] > job["tolerance"]:
            return result
    calls, end = 0, time.perf_counter() + WARM_UP_SECONDS
    while time.perf_counter() < end:
        call()
        calls += 1
    batch = max(1, round(calls * job["seconds"] / WARM_UP_SECONDS / MOST_SAMPLES))
    seconds, end = result["seconds"], time.perf_counter() + job["seconds"]
    while len(seconds) < LEAST_SAMPLES or time.perf_counter() < end:
        processor, start = time.process_time(), time.perf_counter()
        for _ in range(batch):
            call()
        clock, processor = time.perf_counter() - start, time.process_time() - processor
        seconds.append((min(clock, processor) if job["threads"] == 1 else clock) / batch)
    result["calls"] = batch * len(seconds)
    return result
