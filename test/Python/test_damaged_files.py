"""Files that are damaged by fixed seeds: each is taken, or refused in one line."""

import os
import resource

import pytest
from damaged_files import KINDS, check_seeds

pytest.importorskip("onnx")
pytest.importorskip("tflite")

FACTOR = 20 if os.environ.get("BQUANT_NIGHTLY") else 1
COUNTS = {"tflite": 200, "onnx": 200, "torch": 20}


def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("name", KINDS)
def test_kind(name):
    kind, count = KINDS[name], FACTOR * COUNTS.get(name, 300)
    samples = kind.samples()
    kind.read(samples[0])  # which imports what it takes
    before = most()
    taken, refused = check_seeds(kind, samples, range(count))
    assert taken and refused > count // 10
    assert most() - before < 500 << 10  # kilobytes
