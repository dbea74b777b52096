"""QuantizeLinear and DequantizeLinear become products of codes, against ONNX Runtime, whose results
are in golden/ (`./dev fixtures`)."""

import json
from pathlib import Path

import bquant
import numpy as np
import pytest

pytest.importorskip("onnx")

GOLDEN = Path(__file__).parent / "golden/onnx_quantized.npz"


def cases():
    found = {}
    with np.load(GOLDEN) as arrays:
        for key in arrays:
            name, part = key.split("/")
            found.setdefault(name, {})[part] = arrays[key]
    return {name: (p["model"].tobytes(), p["x0"], p["y0"]) for name, p in found.items()}


CASES = cases()
PRODUCTS = [name for name in CASES if not name.startswith(("static", "dynamic"))]
NETWORKS = [name for name in CASES if name.startswith("static")]


def share(network):
    layers = json.loads(network.report("json"))["layers"]
    return sum(item["mac_share"] for item in layers if item["macs"] and not item["float"])


@pytest.mark.parametrize("name", PRODUCTS)
def test_product(name):
    content, x, y = CASES[name]
    network = bquant.compile(content)
    assert share(network) == pytest.approx(1)
    result = network(x)
    np.testing.assert_allclose(result, y, atol=1e-5 * np.abs(y).max())


@pytest.mark.parametrize("name", ["Conv_int8_channel", "Conv_strides", "MatMul_uint8"])
def test_reference(name):
    """Both routes round alike, the sum of a window included."""
    content, x, _ = CASES[name]
    np.testing.assert_array_equal(
        bquant.compile(content, strategy="reference")(x), bquant.compile(content)(x)
    )


@pytest.mark.parametrize("name", NETWORKS)
def test_network(name):
    """By ONNX Runtime's static quantization. What lies between two codes in one runtime may be one
    step further in the other."""
    content, x, y = CASES[name]
    network = bquant.compile(content)
    assert share(network) > 0.9
    step = np.abs(y).max() / 128
    result = network(x)
    assert np.abs(result - y).max() <= 2 * step
    assert np.abs(result - y).mean() <= step / 2


def test_dynamic():
    """Scales of run time; a sum in another order may move a scale, and a code by one step."""
    content, x, y = CASES["dynamic"]
    step = np.abs(y).max() / 128
    result = bquant.compile(content)(x)
    assert np.abs(result - y).max() <= 2 * step
    zeros = bquant.compile(content)(np.zeros_like(x))
    assert np.isfinite(zeros).all()


@pytest.mark.parametrize("strategy", ["popcount", "bytes"])
def test_strategies_agree(strategy):
    content, x, _ = CASES["Conv_uint4_channel"]
    np.testing.assert_array_equal(
        bquant.compile(content, strategy=strategy)(x), bquant.compile(content)(x)
    )
