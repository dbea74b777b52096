"""Whether a compiled file agrees with the runtimes of its format, and the ways to compile it with
each other.

Results on the fast and on the reference route have to be equal in every bit. A runtime's are equal
numbers where no sum of the program rounds (exact.py), else near where none of its values can lie on
a threshold. `bquant.verify` may not alarm where the runtimes agree.
"""

import dataclasses

import bquant
import numpy as np

WAYS = [{"strategy": s} for s in ("auto", "scalar", "popcount", "table", "bytes")] + [
    {"threads": 2}
]
TOLERANCE = 1e-4  # of the largest number, as bquant.verify has it
CALLS = 2
ANOTHER_BATCH = 4


@dataclasses.dataclass
class File:
    """`runtimes` give results for inputs, by their names; `has_steps`: values near each other may
    become others that are not."""

    content: bytes
    runtimes: dict
    has_steps: bool = False
    dynamic: bool = False


def difference(expected, got, same):
    """What differs first; None if nothing does."""
    if (expected.dtype, expected.shape) != (got.dtype, got.shape):
        return (
            f"expected {expected.dtype} {list(expected.shape)}, "
            f"but got {got.dtype} {list(got.shape)}"
        )
    alike = same(expected, got)
    if alike.all():
        return None
    at = np.unravel_index(int(np.argmin(alike)), alike.shape)
    return f"element {tuple(map(int, at))}: expected {expected[at]}, but got {got[at]}"


def equal(expected, got):
    return (expected == got) | (np.isnan(expected) & np.isnan(got))


def equal_in_bits(expected, got):
    return equal(expected, got) & (np.signbit(expected) == np.signbit(got))


def near(expected, got):
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    with np.errstate(invalid="ignore"):
        distance = np.abs(np.float64(expected) - got)
    return equal(expected, got) | (distance <= TOLERANCE * largest)


def draw_input(rng, value, batch):
    """Of the numbers for which a program is exact; else any, those of thresholds among them."""
    shape = (batch, *value.shape[1:]) if value.batched else value.shape
    if value.hidden:
        return value.array
    if value.exact is not None:
        bound, step = value.exact.bound, value.exact.step
        return np.float32(rng.integers(-bound, bound + 1, shape) / 2.0**step)
    x = rng.normal(0, 1, shape).astype(np.float32)
    few = rng.random(shape) < 0.1
    return np.where(few, rng.choice(np.float32([0, -0.0, 0.25, 0.5, -0.5, 1, -1, 2]), shape), x)


def compile_all(content, ways):
    """Networks by how they were compiled; where no kernel of that name can compute one, by
    another."""
    networks = {"reference": bquant.compile(content, strategy="reference")}
    for way in ways:
        try:
            networks[str(way)] = bquant.compile(content, **way)
        except ValueError as error:
            if "strategy that serves" not in str(error):
                raise
            networks["auto"] = bquant.compile(content)
    return networks


def judge(program, file, in_all_ways=False):
    """None, or what is wrong."""
    rng = np.random.default_rng(program.seed)
    batches = [program.batch] * CALLS + [ANOTHER_BATCH] * file.dynamic
    calls = [[draw_input(rng, v, batch) for v in program.arguments] for batch in batches]
    ways = WAYS if in_all_ways else [WAYS[rng.integers(len(WAYS))]]
    networks = compile_all(file.content, ways)
    results = {name: [net.flat(*call) for call in calls] for name, net in networks.items()}
    expected = results.pop("reference")
    for name, found in results.items():
        if told := compare(expected, found, equal_in_bits):
            return f"differs by {name}, {told}"
    if file.has_steps and not program.exact:
        return None
    for name, run in file.runtimes.items():
        try:
            right = [[np.asarray(y) for y in run(*call)] for call in calls]
        except Exception as error:
            return f"refused by {name}: {type(error).__name__}: {error}".split("\n", 1)[0]
        if told := compare(right, expected, equal if program.exact else near):
            return f"differs from {name}, {told}"
    return alarm(list(networks.values())[-1], file, calls) if program.seed % 4 == 0 else None


def alarm(network, file, calls):
    """What `bquant.verify` says against a network that is right."""
    for name, run in file.runtimes.items() or [("the reference", None)]:
        result = bquant.verify(network, file.content, [tuple(c) for c in calls], runtime=run)
        if not result.ok:
            return f"alarm of verify with {name}: {str(result).splitlines()[0]}"
    return None


def compare(expected, found, same):
    """Calls by calls, results by results."""
    for i, (rights, gots) in enumerate(zip(expected, found, strict=True)):
        for j, (right, got) in enumerate(zip(rights, gots, strict=True)):
            if told := difference(right, got, same):
                return f"call {i}, result {j}, {told}"
    return None
