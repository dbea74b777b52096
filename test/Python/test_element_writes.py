"""What is computed element by element is one write a tile in the tensor program, whose analyses
compare each write with each other one; a `tensor.insert` is what writes a tile of one element."""

import re

import bquant
import bquant.models
import numpy as np
import pytest
import torch
from functions import Function, sign
from golden_files import GOLDEN

for module in ("onnx", "tflite", "flatbuffers"):
    pytest.importorskip(module)

ARCHIVES = [
    "larq_networks",
    "onnx_networks",
    "onnx_quantized",
    "qonnx_modules",
    "qonnx_networks",
    "tflite_networks",
    "tflite_states",
    "tosa_networks",
]
OTHERS = ["larq_words", "onnx_bytes", "tflite_codes"]
# Of one-element tiles in one network: in each layer the last pixels of each row and column.
MOST = 52


def insertions(model, example_inputs=None):
    """The type that each `tensor.insert` writes to."""
    text = bquant.lower(model, "vectorize", example_inputs)
    assert "vector.transfer_write" in text
    return re.findall(r"tensor\.insert .* : tensor<(.+)>", text)


def check(found, most=MOST):
    for shape in found:
        *sizes, element = shape.split("x")
        # A bit is a byte in memory, and no vector of bits is stored.
        assert element == "i1" or set(sizes) <= {"1"}, shape
    assert len(found) <= most


@pytest.mark.parametrize(
    "archive", ARCHIVES + [pytest.param(name, marks=pytest.mark.nightly) for name in OTHERS]
)
def test_one_write_a_tile(archive):
    with np.load(GOLDEN / f"{archive}.npz") as arrays:
        models = [arrays[key].tobytes() for key in arrays if key.endswith("/model")]
    assert models
    for model in models:
        check(insertions(model))


@pytest.mark.nightly
def test_the_zoo():
    """Sixteen layers of two bits, whose corners are tiles of their own."""
    model = bquant.models.load("fashion-resnet-ls-2-2")
    check(insertions(model, (torch.zeros(1, 1, 28, 28),)), most=190)


def sums(x, filters):
    """One channel of sums."""
    return torch.nn.functional.conv2d(sign(x), torch.sign(filters))


@pytest.mark.parametrize("columns", [4, 32])
def test_no_more_with_the_pixels(columns):
    model = Function(sums, filters=torch.ones(1, 64, 1, 1))
    assert not insertions(model, (torch.zeros(1, 64, 4, columns),))
