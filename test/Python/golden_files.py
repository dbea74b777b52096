"""What the scripts behind `./dev fixtures` recorded of other programs, in golden/*.npz."""

from pathlib import Path

import bquant
import numpy as np
import pytest

GOLDEN = Path(__file__).parent / "golden"


def cases(archive):
    """NAME: the model's bytes, its inputs, the outputs of the program that made it."""
    found = {}
    with np.load(GOLDEN / archive) as arrays:
        for key in arrays:
            name, part = key.split("/")
            found.setdefault(name, {})[part] = arrays[key]
    return {
        name: (parts["model"].tobytes(), _numbered(parts, "x"), _numbered(parts, "y"))
        for name, parts in found.items()
    }


def _numbered(parts, letter):
    return [parts[f"{letter}{i}"] for i in range(sum(key[0] == letter for key in parts))]


def daily(names, quick):
    """Parameters of a test: the quick ones every day, all by night."""
    return [pytest.param(n, marks=() if n in quick else pytest.mark.nightly) for n in names]


def on_routes(names, fast, both):
    """Parameters (name, strategy): every day some on the fast route and on both, all by night."""
    return [
        pytest.param(name, strategy, marks=() if name in quick else pytest.mark.nightly)
        for strategy, quick in (("auto", (*fast, *both)), ("reference", both))
        for name in names
    ]


def on_both_routes(content, run):
    """What `run` gives of a network: the same in every bit on the fast route and the reference."""
    fast, reference = (run(bquant.compile(content, strategy=s)) for s in ("auto", "reference"))
    assert fast.tobytes() == reference.tobytes()
    return fast


def agree(result, expected, tolerance):
    """Floats to a share of the largest one, all else in every bit."""
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    share = tolerance if expected.dtype == np.float32 else 0
    np.testing.assert_allclose(result, expected, rtol=0, atol=share * np.abs(expected).max())
