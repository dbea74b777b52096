"""QuantizeLinear and DequantizeLinear become products of codes, against ONNX Runtime, whose results
are in golden/ (`./dev fixtures`)."""

from pathlib import Path

import bquant
import numpy as np
import pytest

pytest.importorskip("onnx")

from golden_files import cases  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402
from onnx_files import model  # noqa: E402
from reports import share_in_codes  # noqa: E402

CASES = cases("onnx_quantized.npz")
# Of networks the share of MACs, in percent, that are products of codes, or of integers. Attention's
# products of two activations are among them, but for those that dynamic quantization leaves float.
NETWORKS = {
    **{name: 90 for name in CASES if name.startswith("static")},
    **{name: 100 for name in CASES if name.startswith("static_operators")},
    "encoder_static": 100,
    "encoder_operators": 100,
    "encoder_dynamic": 81,
    "dynamic": 100,
}
# Operators on codes are in every bit those of ONNX Runtime.
EXACT = [name for name in NETWORKS if "operators" in name]
PRODUCTS = [name for name in CASES if name not in NETWORKS and not name.startswith("channels")]


@pytest.mark.parametrize("name", PRODUCTS)
def test_product(name):
    content, (x,), (y,) = CASES[name]
    network = bquant.compile(content)
    assert share_in_codes(network) == pytest.approx(100)
    result = network(x)
    np.testing.assert_allclose(result, y, atol=1e-5 * np.abs(y).max())


@pytest.mark.parametrize("name", ["Conv_int8_channel", "Conv_strides", "MatMul_uint8"])
def test_reference(name):
    """Both routes round alike, the sum of a window included."""
    content, (x,), _ = CASES[name]
    np.testing.assert_array_equal(
        bquant.compile(content, strategy="reference")(x), bquant.compile(content)(x)
    )


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("name", NETWORKS)
def test_network(name, strategy):
    """By ONNX Runtime's quantization. Its results are those of the model as it stands; what its
    optimizer makes of a transformer differs from them by 2 % itself."""
    content, (x,), (y,) = CASES[name]
    network = bquant.compile(content, strategy=strategy)
    assert share_in_codes(network) >= NETWORKS[name] - 1e-4
    tolerance = 0 if name in EXACT else 1e-6 * np.abs(y).max()
    np.testing.assert_allclose(network(x), y, rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", ["channels_uint8", "channels_int8"])
def test_zero_points_of_channels(name):
    content, (x,), (y,) = CASES[name]
    np.testing.assert_array_equal(bquant.compile(content)(x), y)


def test_scales_of_run_time_are_no_zero():
    content, (x,), _ = CASES["dynamic"]
    assert np.isfinite(bquant.compile(content)(np.zeros_like(x))).all()


@pytest.mark.parametrize("opset", [11, 13])
def test_softmax_of_an_opset(opset):
    """Before 13 over all dimensions from the axis on."""
    constants = {"s": np.float32(0.05), "z": np.uint8(128), "t": np.float32(1 / 256)}
    node = helper.make_node(
        "QLinearSoftmax", ["x", "s", "z", "t", ""], ["y"], domain="com.microsoft", axis=1,
        opset=opset,
    )  # fmt: skip
    x = np.random.default_rng(1).integers(0, 256, (2, 3, 4)).astype(np.uint8)
    made = model([node], {"x": x}, constants, domains=["com.microsoft"], result=TensorProto.UINT8)
    axes = (1, 2) if opset == 11 else 1
    powers = np.exp((x.astype(np.float32) - 128) * np.float32(0.05))
    expected = np.rint(powers / powers.sum(axes, keepdims=True) * 256).clip(0, 255)
    np.testing.assert_array_equal(bquant.compile(made)(x), expected)


@pytest.mark.parametrize("strategy", ["scalar", "popcount", "bytes"])
def test_strategies_agree(strategy):
    if strategy == "popcount" and "avx512_vpopcntdq" not in Path("/proc/cpuinfo").read_text():
        pytest.skip("expected a CPU that counts the bits of lanes")
    content, (x,), _ = CASES["Conv_uint4_channel"]
    np.testing.assert_array_equal(
        bquant.compile(content, strategy=strategy)(x), bquant.compile(content)(x)
    )
